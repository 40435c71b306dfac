package main

import "testing"

// The page's kernel imports its memory already, and garbage is no module: neither is a program of Go. The tests under
// node run programs that were rewritten.
func TestRefusals(t *testing.T) {
	const magic = "\x00asm\x01\x00\x00\x00"
	for name, module := range map[string]string{
		"empty":      "",
		"text":       "not a module",
		"cut off":    magic + "\x02\x7f",
		"no memory":  magic + "\x02\x01\x00",
		"no imports": magic + "\x05\x03\x01\x00\x10",
		"maximum":    magic + "\x02\x01\x00\x05\x04\x01\x01\x10\x20",
	} {
		if _, err := importMemory([]byte(module)); err == nil {
			t.Errorf("%s: accepted", name)
		}
	}
	got, err := importMemory([]byte(magic + "\x02\x01\x00\x05\x03\x01\x00\x10"))
	if want := magic + "\x02\x0b\x01\x02go\x03mem\x02\x00\x10"; err != nil || string(got) != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
}
