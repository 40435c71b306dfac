//go:build train

package vec

import "unsafe"

// The kernels of wasm/kernel/training, in WebAssembly SIMD, under the names of amd64's assembly. Programs that train
// are built with the tag train and started together with that module; programs that only score carry none of this. The
// functions of other files check all lengths. Nothing moves during a call, because the program has one thread.

// Whether the module was loaded: the engine may lack SIMD. Tests switch these off.
var (
	useAVX    = available() != 0
	useAVX2   = useAVX
	useAVX512 = useAVX
)

func dotAVX(x, y *float32, n int) float32 { return dot(x, y, uint32(n)) }

func squaredDistanceAVX(x, y *float32, n int) float32 { return squaredDistance(x, y, uint32(n)) }

func axpyAVX(alpha float32, x, y *float32, n int) { axpy(alpha, x, y, uint32(n)) }

func scaleFloorAVX(c float32, x *float32, least float32, n int) { scaleFloor(c, x, least, uint32(n)) }

func axpyIntoAVX(dst *float32, alpha float32, x, y *float32, n int) {
	axpyInto(dst, alpha, x, y, uint32(n))
}

func squaredDistances4AVX(dst, query *float32, w int, rows *float32, groups int) {
	squaredDistances(dst, query, rows, uint32(4*groups), uint32(w))
}

func dots4AVX(dst, query *float32, w int, rows *float32, groups int) {
	dots(dst, query, rows, uint32(4*groups), uint32(w))
}

func accumulateRows512(y *float32, n int, c, x *float32, rows *int32, m, keep int) {
	accumulateRows(y, uint32(n), c, x, rows, uint32(m), uint32(keep))
}

func adamAVX(x, g, m, v *float32, n int, step, eps float32) { adam(x, g, m, v, uint32(n), step, eps) }

func expsAVX2(dst, x *float32, n int) { exps(dst, x, uint32(n)) }

func tanhsAVX2(dst, x *float32, n int) { tanhs(dst, x, uint32(n)) }

func softplusSigmoidsAVX2(softplus, sigmoid, x *float32, n int) {
	softplusSigmoids(softplus, sigmoid, x, uint32(n))
}

// A training draws few numbers, so Go draws them.
func normalsAVX2(dst []float32, key, counter, block uint64) {
	for i := 0; i < len(dst); i += group {
		normalsGo((*[group]float32)(dst[i:]), key, counter, block+uint64(i/4))
	}
}

func gemm(c []float32, ldc int, a []float32, am, ak int, b []float32, ldb int, m, n, k int) {
	if !useAVX {
		gemmGo(c, ldc, a, am, ak, b, ldb, m, n, k)
		return
	}
	multiply(unsafe.SliceData(c), uint32(ldc), unsafe.SliceData(a), uint32(am), uint32(ak), unsafe.SliceData(b),
		uint32(ldb), uint32(m), uint32(n), uint32(k))
}

// n and m may be 0.

//go:wasmimport vec available
func available() uint32

//go:wasmimport vec dot
//go:noescape
func dot(x, y *float32, n uint32) float32

//go:wasmimport vec squared_distance
//go:noescape
func squaredDistance(x, y *float32, n uint32) float32

//go:wasmimport vec squared_distances
//go:noescape
func squaredDistances(dst, query, rows *float32, n, w uint32)

//go:wasmimport vec dots
//go:noescape
func dots(dst, x, rows *float32, n, w uint32)

//go:wasmimport vec axpy
//go:noescape
func axpy(alpha float32, x, y *float32, n uint32)

//go:wasmimport vec axpy_into
//go:noescape
func axpyInto(dst *float32, alpha float32, x, y *float32, n uint32)

//go:wasmimport vec scale_floor
//go:noescape
func scaleFloor(c float32, x *float32, least float32, n uint32)

//go:wasmimport vec accumulate_rows
//go:noescape
func accumulateRows(y *float32, n uint32, c, x *float32, rows *int32, m, keep uint32)

//go:wasmimport vec adam
//go:noescape
func adam(x, g, m, v *float32, n uint32, step, eps float32)

//go:wasmimport vec exps
//go:noescape
func exps(dst, x *float32, n uint32)

//go:wasmimport vec tanhs
//go:noescape
func tanhs(dst, x *float32, n uint32)

//go:wasmimport vec softplus_sigmoids
//go:noescape
func softplusSigmoids(softplus, sigmoid, x *float32, n uint32)

//go:wasmimport vec gemm
//go:noescape
func multiply(c *float32, ldc uint32, a *float32, am, ak uint32, b *float32, ldb, m, n, k uint32)
