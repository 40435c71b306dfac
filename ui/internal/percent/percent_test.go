package percent

import (
	"net/url"
	"testing"
)

// Every byte, and texts of them, come back; the standard library reads the same.
func TestThereAndBack(t *testing.T) {
	var all []byte
	for c := range 256 {
		all = append(all, byte(c))
		if got, sound := Unescape(Escape(string([]byte{byte(c)}))); got != string([]byte{byte(c)}) || !sound {
			t.Errorf("byte %#x comes back as %q, %v", c, got, sound)
		}
	}
	escaped := Escape(string(all))
	if got, err := url.PathUnescape(escaped); err != nil || got != string(all) {
		t.Errorf("net/url reads %q of %q: %v", got, escaped, err)
	}
	if got, want := Escape("R&B = #é, ~x"), "R%26B%20%3D%20%23%C3%A9%2C%20~x"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestUnsound(t *testing.T) {
	for s, want := range map[string]string{"100%": "100%", "%": "%", "%4": "%4", "a%4gb": "a%4gb", "%%41": "%A", "%c3%A9%": "é%"} {
		if got, sound := Unescape(s); got != want || sound {
			t.Errorf("%q gives %q, %v, want %q and that it is not sound", s, got, sound, want)
		}
	}
}
