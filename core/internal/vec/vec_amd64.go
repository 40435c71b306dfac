package vec

import "golang.org/x/sys/cpu"

// The versions that this CPU supports. AVX suffices for the kernels of generic.go; the elementwise ones need AVX2's
// integers, and Gemm needs FMA. Tests switch these off to test the other versions.
var (
	useAVX    = cpu.X86.HasAVX
	useAVX2   = cpu.X86.HasAVX2
	useFMA    = cpu.X86.HasAVX2 && cpu.X86.HasFMA
	useAVX512 = useFMA && cpu.X86.HasAVX512F
)

//go:noescape
func dotAVX(x, y *float32, n int) float32

//go:noescape
func squaredDistanceAVX(x, y *float32, n int) float32

//go:noescape
func axpyAVX(alpha float32, x, y *float32, n int)

//go:noescape
func scaleFloorAVX(c float32, x *float32, least float32, n int)

//go:noescape
func axpyIntoAVX(dst *float32, alpha float32, x, y *float32, n int)

// groups of four rows of w values; both are positive.
//
//go:noescape
func squaredDistances4AVX(dst, query *float32, w int, rows *float32, groups int)

//go:noescape
func dots4AVX(dst, query *float32, w int, rows *float32, groups int)
