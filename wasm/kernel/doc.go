// Package kernel is the browser's scan in WebAssembly SIMD: squared distances from one query to many rows, computed in
// place on Go's memory by a three-kilobyte module written in C (kernel.c).
//
// Go's compiler emits no SIMD for WebAssembly. The module imports the Go program's memory, and the program calls the
// module through go:wasmimport, so no value is copied. assets/js/loader/instantiate.js resolves this circular import.
//
// Its results are bit-identical to core/internal/vec: the same eight lanes, the same order of additions, products
// rounded before they are added. Visitors therefore see the same list natively, in Go's WebAssembly and with SIMD. The
// test compares all three with one golden file, under node and in Chromium.
//
// The main packages of wasm pass the scan of Fastest to recommend.Open. If the engine has no SIMD or the module could
// not be loaded, Go scans.
//
// kernel.wasm is committed. go generate recompiles it with clang-19, and a test compares the bytes.
package kernel

//go:generate ./build.sh kernel.wasm
