// Package kernel is the scan of the browser in WebAssembly SIMD: squared distances of one query to many rows, computed
// in place on Go's memory by a module of three kilobytes that is written in C (kernel.c).
//
// Go's compiler emits no SIMD for WebAssembly. The module imports the Go program's own memory and the program calls it
// through go:wasmimport, so no value is copied. Each imports the other; assets/js/loader/instantiate.js opens that
// circle.
//
// It gives the bits of core/internal/vec: the same eight lanes, the same order of additions, products rounded
// before they are added. A visitor therefore sees the same list natively, in Go's WebAssembly and in SIMD. The test
// compares all three with one golden file, under node and in Chromium.
//
// In the flow: the main packages of wasm hand the scan of Fastest to recommend.Open; where the engine has no SIMD, or
// the module could not be loaded, the scan in Go stays.
//
// kernel.wasm is committed. go generate compiles it again with clang-19, and a test compares the bytes.
package kernel

//go:generate ./build.sh kernel.wasm
