package vec

import (
	"math"
	"unsafe"
)

// The constants of activate.go for the assembly: eight copies of each, in the order of its macros.
var (
	expTable = lanes(expm4, expm3, expm2, expm1, expm0, log2e, magic, ln2High, ln2Low, 1, 2, 20, -87, 88,
		float32(math.Inf(1)))
	logTable = lanes(log1p7, log1p6, log1p5, log1p4, log1p3, log1p2, log1p1, log1p0)
)

// lanes repeats every value in all lanes of a vector.
func lanes(values ...float32) [][8]float32 {
	t := make([][8]float32, len(values))
	for i, v := range values {
		t[i] = [8]float32{v, v, v, v, v, v, v, v}
	}
	return t
}

func expsAVX2(dst, x *float32, n int) { exps8(dst, x, n, &expTable[0]) }

func tanhsAVX2(dst, x *float32, n int) {
	if wide := n &^ 15; useAVX512 && wide > 0 {
		tanhs16(dst, x, wide, &expTable[0])
		if n == wide {
			return
		}
		size := uintptr(wide) * unsafe.Sizeof(*x)
		dst, x = (*float32)(unsafe.Add(unsafe.Pointer(dst), size)), (*float32)(unsafe.Add(unsafe.Pointer(x), size))
		n -= wide
	}
	tanhs8(dst, x, n, &expTable[0])
}

func softplusSigmoidsAVX2(softplus, sigmoid, x *float32, n int) {
	softplusSigmoids8(softplus, sigmoid, x, n, &expTable[0], &logTable[0])
}

// n is a positive multiple of 8.
//
//go:noescape
func exps8(dst, x *float32, n int, exp *[8]float32)

//go:noescape
func tanhs8(dst, x *float32, n int, exp *[8]float32)

// n is a positive multiple of 16.
//
//go:noescape
func tanhs16(dst, x *float32, n int, exp *[8]float32)

//go:noescape
func softplusSigmoids8(softplus, sigmoid, x *float32, n int, exp, log *[8]float32)
