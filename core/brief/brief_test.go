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

func FuzzText(f *testing.F) {
	f.Add(strings.Repeat("é", Max))
	f.Add(strings.Repeat("\x80", 2*Max))
	f.Fuzz(func(t *testing.T, s string) {
		got := Text(s)
		if len(got) > Max+len("…") || len(s) <= Max && got != s {
			t.Errorf("%d bytes became %d", len(s), len(got))
		}
		if utf8.ValidString(s) && !utf8.ValidString(got) {
			t.Errorf("%q is cut within a character: %q", s, got)
		}
	})
}
