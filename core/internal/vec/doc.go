// Package vec holds the vector kernels that everything hot is made of, in float32.
//
// Every kernel has a pure Go version and may have a faster twin in assembly. The two give the same bits, not merely
// close values, because both follow one order of additions:
//
//   - sums run in Lanes = 8 lanes; lane l takes the elements l, l+8, l+16, …; a last incomplete block is padded
//     with zeros; the lanes fold as ((l₀+l₄)+(l₂+l₆)) + ((l₁+l₅)+(l₃+l₇));
//   - products are rounded before they are added: no fused multiply-add, on no architecture. The Go code writes
//     float32(a*b)+c, which the language defines as rounded.
//
// The WebAssembly kernel in wasm/kernel follows the same order. So a model trained twice is the same file, and a
// visitor sees the same list natively, in Go's WebAssembly and in SIMD. What this costs against FMA is at most half
// of the arithmetic peak and nothing where memory is the limit.
package vec
