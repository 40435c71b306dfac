// Package training is the training's inner loops in WebAssembly SIMD, written in C (training.c): products of matrices,
// sums of rows, distances, Adam and exponentials. Go's compiler emits no SIMD for WebAssembly.
//
// Programs built with the tag train import the kernels from core/internal/vec, whose Go functions are their oracles and
// run in engines without SIMD. All give the bits of the native command: the tests of that package run here under node.
// The memory is shared, so no value is copied, and calls do not pass through JavaScript: importmemory, run after the
// build, and training.js make that possible.
//
// plain.wasm and fused.wasm are committed. go generate recompiles them with clang-19, and a test compares the bytes.
package training

//go:generate ./build.sh
