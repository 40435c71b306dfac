package model

import (
	"os"
	"testing"
)

// BenchmarkDecodeFile decodes the file that PMLAM_MODEL names, or else a small one. It is the one part of the tests
// that builds for WebAssembly as well (see README of the toolchain's lib/wasm for what runs it):
//
//	PMLAM_MODEL=model.pmlam GOOS=js GOARCH=wasm go test -exec "$(go env GOROOT)/lib/wasm/go_js_wasm_exec" \
//		-run - -bench DecodeFile ./core/model
func BenchmarkDecodeFile(b *testing.B) {
	path := os.Getenv("PMLAM_MODEL")
	if path == "" {
		path = "testdata/v5-int8.pmlam"
	}
	file, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(file)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Decode(file); err != nil {
			b.Fatal(err)
		}
	}
}
