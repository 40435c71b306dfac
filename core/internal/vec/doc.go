// Package vec holds the vector kernels of all inner loops, in float32.
//
// Every kernel has a pure Go version and may have a faster one in assembly, which is selected at program start by the
// features of the CPU. Both give the same bits on every machine, because they do the same rounded operations in the
// same order. (The bits of a NaN are not guaranteed.) So training twice gives the same file, and a visitor sees the
// same list natively, in Go's WebAssembly and in SIMD.
//
//   - Sums run in Lanes = 8 lanes; lane l takes the elements l, l+8, l+16, …; an incomplete last block is padded with
//     zeros; the lanes fold as ((l₀+l₄)+(l₂+l₆)) + ((l₁+l₅)+(l₃+l₇)).
//   - Products are rounded before they are added, on every architecture: the language defines float32(a*b)+c in the
//     Go code as rounded. The WebAssembly kernel in wasm/kernel follows the same order.
//   - Only Gemm fuses, where it doubles the arithmetic peak; elsewhere memory or divisions are the limit. Its
//     elements are chains of fused multiply-adds in the order of p. On CPUs without the instruction, FMA emulates
//     it exactly, but slowly. Only training uses Gemm.
//   - Elementary functions are polynomials of this package with stated error bounds, since the standard library's may
//     differ between platforms. Softplus of one value is the exception: it calls math.Log1p.
//
// Files:
//
//	vec.go, generic.go   Dot, SquaredDistance(s), Axpy, MatVec: shared with the browser
//	math.go              Exp, Tanh, Sigmoid, Softplus of one value: shared with the browser; ExpDouble, Pow
//	gemm.go, fma.go      Gemm and FMA
//	activate.go          Exps, Tanhs, SoftplusSigmoids of rows
//	philox.go, normal.go random words and normal draws, by position and stateless
//	rows.go              the row kernels of the margin pass
//	lists.go             the same for many rows in one call, sums of rows, and prefetching rows
//	halves.go, log.go    half precision to float32; Log
//	adam.go              Adam's step and its bias corrections
//	vec_wasm.go          the kernels of programs that train in a browser (build tag train; wasm/kernel/training)
//	peak                 the peak speed of a core, which benchmarks compare with
//
// Next to each are its assembly (*_amd64.s, lanes of 8; *512_amd64.s, lanes of 16) and the declarations (*_amd64.go).
// On arm64 only Gemm has assembly, in NEON. The tests run every kernel that the machine supports, and compare all
// machines with the bits in bits_test.go:
//
//	GOARCH=arm64 go test -exec qemu-aarch64 ./core/internal/vec
package vec
