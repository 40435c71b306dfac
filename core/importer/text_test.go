package importer

import (
	"testing"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// TestWindows1252 compares the table with x/text, which has U+FFFD for the five bytes that Windows leaves undefined.
// Here they are control characters, as in browsers, and text removes those.
func TestWindows1252(t *testing.T) {
	undefined := 0
	for c := range 256 {
		got, want := []rune(fromWindows1252(string([]byte{byte(c)}))), charmap.Windows1252.DecodeByte(byte(c))
		if want == utf8.RuneError {
			undefined++
			want = rune(c)
		}
		if len(got) != 1 || got[0] != want {
			t.Errorf("byte %#x is read as %q, want %q", c, string(got), want)
		}
	}
	if undefined != 5 {
		t.Errorf("%d bytes are undefined, want 5", undefined)
	}
}
