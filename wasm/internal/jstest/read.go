//go:build !js

package jstest

import (
	"os"
	"path/filepath"
	"testing"
)

// Read returns a file's content, by its path in the module.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	return ReadFile(t, filepath.Join(Root(t), filepath.FromSlash(name)))
}

// ReadFile returns a file's content.
func ReadFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// WasmExec returns the script of the Go installation that runs its programs in a JavaScript engine.
func WasmExec(t testing.TB) []byte {
	t.Helper()
	return ReadFile(t, filepath.Join(Goroot(t), "lib", "wasm", "wasm_exec.js"))
}
