package json

import (
	stdlib "encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"
)

func value(b []byte) (any, error) {
	r := NewReader(b, 1<<20)
	v := r.Value()
	r.End()
	if r.Err() != nil {
		return nil, r.Err()
	}
	return v, nil
}

func TestReadsWhatTheStandardLibraryReads(t *testing.T) {
	for _, s := range []string{
		`null`, `true`, ` false `, `0`, `-1.5e3`, `""`, `"a\"\\\/\b\f\n\r\tz"`, `"\u00e9\ud83d\ude00"`, `"\ud83d"`, `"\ud83dx"`, `"é😀"`,
		`[]`, `[1, [2, {"a": [null]}]]`, `{}`, "{\n\t\"a\": {\"b\": \"c\"},\r\n \"d\": [true, false]}", `{"a": 1, "a": 2}`,
	} {
		var want any
		if err := stdlib.Unmarshal([]byte(s), &want); err != nil {
			t.Fatal(err)
		}
		if got, err := value([]byte(s)); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s reads as %#v (%v), want %#v", s, got, err, want)
		}
	}
}

func TestRefuses(t *testing.T) {
	for _, s := range []string{
		``, ` `, `nul`, `tru`, `"`, `"a`, `"\x"`, `"\u12"`, `"\u12zz"`, "\"\x01\"", "\"\xff\"", `[`, `[1`, `[1,`, `[1,]`, `[1 2]`, `{`, `{"a"`, `{"a":`,
		`{"a":1,}`, `{a:1}`, `1 2`, `-`, `1e999`, `{"a":1}x`, strings.Repeat("[", 1<<20), "1\x00",
	} {
		if v, err := value([]byte(s)); err == nil {
			t.Errorf("%.40q reads as %#v", s, v)
		}
	}
	if _, err := value([]byte("{\n\n\"a\": nope}")); err == nil || !strings.Contains(err.Error(), "line 3") {
		t.Errorf("an error of line 3 says %v", err)
	}
	r := NewReader([]byte(`"12345"`), 4)
	if s := r.Text(); r.Err() == nil {
		t.Errorf("of at most four bytes %q was read", s)
	}
}

func TestSkipsWhatItReads(t *testing.T) {
	r := NewReader([]byte(`{"skipped": {"a": [1, "x", null, true, false]}, "read": "here"}`), 100)
	got := ""
	r.Object(func(name string) {
		if name == "read" {
			got = r.Text()
		} else {
			r.Skip()
		}
	})
	if r.End(); r.Err() != nil || got != "here" {
		t.Errorf("read %q, %v", got, r.Err())
	}
}

// What is read, the standard library reads as the same; what is quoted is read again.
func FuzzReader(f *testing.F) {
	for _, s := range []string{`{"a": [1.5, true, null, "\u00e9"]}`, `"\ud83d\ude00"`, `[[[[`, "\"\\", `{"a":{"b":{}}}`, `01`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if v, err := value(b); err == nil {
			var want any
			if err := stdlib.Unmarshal(b, &want); err == nil && !reflect.DeepEqual(v, want) {
				t.Fatalf("%q reads as %#v, want %#v", b, v, want)
			}
		}
		s := strings.ToValidUTF8(string(b), "?")
		if got, err := value(Quote(nil, s)); err != nil || got != s {
			t.Fatalf("%q is quoted as %s, and reads as %#v (%v)", s, Quote(nil, s), got, err)
		}
		var again string
		if err := stdlib.Unmarshal(Quote(nil, s), &again); err != nil || again != s || !utf8.ValidString(again) {
			t.Fatalf("the standard library reads %q as %q (%v)", s, again, err)
		}
	})
}
