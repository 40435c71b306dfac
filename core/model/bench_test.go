package model

import (
	"flag"
	"os"
	"testing"
)

var benchFile = flag.String("file", "testdata/v5-int8.pmlam", "what BenchmarkDecodeFile decodes")

// BenchmarkDecodeFile decodes the file given by -file, or a small one. It is the only part of the tests that also
// builds for WebAssembly (see the README of the toolchain's lib/wasm for how to run it):
//
//	GOOS=js GOARCH=wasm go test -exec "$(go env GOROOT)/lib/wasm/go_js_wasm_exec" -run - -bench DecodeFile \
//		./core/model -file model.msgpack
func BenchmarkDecodeFile(b *testing.B) {
	file, err := os.ReadFile(*benchFile)
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
