package fingerprint

import "testing"

// The digits come from `printf hello | sha256sum`.
func TestNameHasTheHash(t *testing.T) {
	for name, want := range map[string]string{
		"app.wasm":         "app.2cf24dba5fb0.wasm",
		"assets/js/x.y.js": "assets/js/x.y.2cf24dba5fb0.js",
		"a.b/c":            "a.b/c.2cf24dba5fb0",
	} {
		got := Name(name, []byte("hello"))
		if got != want {
			t.Errorf("Name(%q) = %q, want %q", name, got, want)
		}
		if !Matches(got, Sum([]byte("hello"))) {
			t.Errorf("Matches(%q) is false for its own content", got)
		}
		if Matches(got, Sum([]byte("hello!"))) {
			t.Errorf("Matches(%q) is true for other content", got)
		}
		if Matches(name, Sum([]byte("hello"))) {
			t.Errorf("Matches(%q) is true although the name has no hash", name)
		}
	}
}
