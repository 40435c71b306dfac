//go:build !js

package jstest

import (
	"os"
	"path/filepath"
	"testing"
)

// Read returns the content of a file, given by its path in the module.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	return ReadFile(t, filepath.Join(Root(t), filepath.FromSlash(name)))
}

// ReadFile returns the content of a file.
func ReadFile(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// WasmExec returns wasm_exec.js of the Go installation, which runs Go programs in a JavaScript engine.
func WasmExec(t testing.TB) []byte {
	t.Helper()
	return ReadFile(t, filepath.Join(Goroot(t), "lib", "wasm", "wasm_exec.js"))
}
