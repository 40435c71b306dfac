package share

import (
	"net/url"
	"testing"
)

// Every byte reads back unchanged, alone and in one string with all others.
func TestEscape(t *testing.T) {
	var all []byte
	for c := range 256 {
		all = append(all, byte(c))
		one := string([]byte{byte(c)})
		if got, err := url.PathUnescape(Escape(one)); got != one || err != nil {
			t.Errorf("byte %#x reads back as %q, %v", c, got, err)
		}
	}
	if got, err := url.PathUnescape(Escape(string(all))); err != nil || got != string(all) {
		t.Errorf("all bytes read back as %q: %v", got, err)
	}
	if got, want := Escape("R&B = #é, ~x"), "R%26B%20%3D%20%23%C3%A9%2C%20~x"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
