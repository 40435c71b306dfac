package keep

import (
	"encoding/json"
	"strings"
	"testing"
)

// skipped reads b as one value of any kind.
func skipped(b []byte) *BackupError {
	r := newReader(b)
	r.skip()
	r.end()
	return r.err
}

func TestReaderTakesJSON(t *testing.T) {
	for _, s := range []string{
		`null`, `true`, ` false `, `0`, `-1.5e3`, `""`, `"a\"\\\/\b\f\n\r\tz"`,
		`"\u00e9\ud83d\ude00"`, `"\ud83d"`, `"\ud83dx"`, `"é😀"`,
		`[]`, `[1, [2, {"a": [null]}]]`, `{}`, `{"a": 1, "a": 2}`,
		"{\n\t\"a\": {\"b\": \"c\"},\r\n \"d\": [true, false]}",
	} {
		if err := skipped([]byte(s)); err != nil {
			t.Errorf("%s: %v", s, err)
		}
	}
}

func TestReaderRefuses(t *testing.T) {
	for _, s := range []string{
		``, ` `, `nul`, `tru`, `"`, `"a`, `"\x"`, `"\u12"`, `"\u12zz"`, "\"\x01\"", "\"\xff\"",
		`[`, `[1`, `[1,`, `[1,]`, `[1 2]`, `{`, `{"a"`, `{"a":`,
		`{"a":1,}`, `{a:1}`, `1 2`, `-`, `1e999`, `{"a":1}x`, strings.Repeat("[", 1<<20), "1\x00", "01",
		strings.Repeat("[", maxDepth+1) + strings.Repeat("]", maxDepth+1), `{"` + strings.Repeat("x", maxText+1) +
			`": 1}`,
	} {
		if skipped([]byte(s)) == nil {
			t.Errorf("%.40q: read without an error", s)
		}
	}
	for s, line := range map[string]int{"{\n\n\"a\": nope}": 3, "[\n1,\n2\n\n3]": 5, "[\n1,\n\"\xff\"]": 3,
		"[\n\n": 3} {
		if err := skipped([]byte(s)); err == nil || err.Line != line {
			t.Errorf("want an error of line %d, got %v", line, err)
		}
	}
	r := newReader([]byte(`null`))
	if s := r.text(); s != "" || r.err == nil {
		t.Errorf("null reads as %q", s)
	}
}

func TestReaderSkips(t *testing.T) {
	r := newReader([]byte(`{"skipped": {"a": [1, "x", null, true, false]}, "read": "here"}`))
	got := ""
	r.object(func(name string) {
		if name == "read" {
			got = r.text()
		} else {
			r.skip()
		}
	})
	if r.end(); r.err != nil || got != "here" {
		t.Errorf("read %q, %v", got, r.err)
	}
}

// Errors name the line where an item begins.
func TestLineOfAnItem(t *testing.T) {
	const file = `{"format": "pmlam-backup", "version": 1, "titles": [
	{"mark": "like", "id": "1"},
	{"mark": "like",
	 "id": ""},
	{}
]}`
	_, err := ReadBackup([]byte(file), now)
	if e, ok := err.(*BackupError); !ok || e.Line != 3 {
		t.Errorf("an item without an id in line 3 : error %v", err)
	}
}

// All readable JSON is JSON to the standard library too, and quoted text reads back unchanged.
func FuzzReader(f *testing.F) {
	for _, s := range []string{`{"a": [1.5, true, null, "\u00e9"]}`, `"\ud83d\ude00"`, `[[[[`, "\"\\", `{"a":{"b":{}}}`,
		`01`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if skipped(b) == nil && !json.Valid(b) {
			t.Fatalf("%q was read, but is not JSON", b)
		}
		s := strings.ToValidUTF8(string(b), "?")
		s = shortenTo(s, maxText)
		r := newReader([]byte(quote(s)))
		if got := r.text(); got != s || r.err != nil {
			t.Fatalf("%q, quoted as %s, reads as %q (%v)", s, quote(s), got, r.err)
		}
	})
}
