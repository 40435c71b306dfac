package model

import (
	"flag"
	"os"
	"testing"
)

var benchFile = flag.String("file", "testdata/v5-int8.pmlam", "what BenchmarkDecodeFile decodes")

// BenchmarkDecodeFile decodes the file that -file names, or else a small one. It is the one part of the tests
// that builds for WebAssembly as well (see README of the toolchain's lib/wasm for what runs it):
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
