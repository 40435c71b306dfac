package brief

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestCut(t *testing.T) {
	for _, c := range []struct {
		text string
		most int
		want string
	}{
		{"", 0, ""}, {"a", 0, "…"}, {"abc", 3, "abc"}, {"abcd", 3, "abc…"},
		{"aéé", 2, "a…"}, {"aéé", 3, "aé…"}, {"日本", 2, "…"}, {"日本", 5, "日…"}, {"\U0001f600x", 4, "\U0001f600…"},
		{"\x80\x80\x80\x80\x80\x80", 5, "\x80…"}, // not UTF-8: any cut will do
	} {
		if got := Cut(c.text, c.most); got != c.want {
			t.Errorf("Cut(%q, %d) is %q, want %q", c.text, c.most, got, c.want)
		}
	}
}

func TestList(t *testing.T) {
	names := strings.Split(strings.Repeat("n ", 23), " ")[:23]
	for _, c := range []struct {
		names []string
		want  string
	}{
		{nil, ""}, {[]string{"a"}, "a"}, {[]string{"a", strings.Repeat("b", 101)}, "a, " + strings.Repeat("b", 100) + "…"},
		{names[:20], strings.Repeat("n, ", 19) + "n"}, {names, strings.Repeat("n, ", 19) + "n and 3 more"},
	} {
		if got := List(c.names); got != c.want {
			t.Errorf("List(%q) is %q, want %q", c.names, got, c.want)
		}
	}
}

func TestMessage(t *testing.T) {
	long := "a beginning " + strings.Repeat("é", 1000) + "x" + strings.Repeat("é", 1000) + " and an end"
	got := Message(long)
	if len(got) > maxMessage+len("… ") || !strings.HasPrefix(got, "a beginning é") || !strings.HasSuffix(got, "é and an end") ||
		!utf8.ValidString(got) || !strings.Contains(got, "é… é") {
		t.Errorf("%d bytes: %q", len(got), got)
	}
	if short := strings.Repeat("x", maxMessage); Message(short) != short {
		t.Error("a short message was cut")
	}
}

func FuzzText(f *testing.F) {
	f.Add(strings.Repeat("é", Max))
	f.Add(strings.Repeat("\x80", 2*Max))
	f.Fuzz(func(t *testing.T, s string) {
		got := Text(s)
		if m := Message(s); len(m) > maxMessage+len("… ") {
			t.Errorf("%d bytes became a message of %d", len(s), len(m))
		}
		if len(got) > Max+len("…") || len(s) <= Max && got != s {
			t.Errorf("%d bytes became %d", len(s), len(got))
		}
		if utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Errorf("%q is cut within a character: %q", s, got)
		}
	})
}
