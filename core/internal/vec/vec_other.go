//go:build !amd64 && !(wasm && train)

package vec

const (
	useAVX    = false
	useAVX2   = false
	useAVX512 = false
)

func dotAVX(x, y *float32, n int) float32             { panic("vec: no assembly here") }
func squaredDistanceAVX(x, y *float32, n int) float32 { panic("vec: no assembly here") }
func axpyAVX(alpha float32, x, y *float32, n int)     { panic("vec: no assembly here") }

func scaleFloorAVX(c float32, x *float32, least float32, n int) { panic("vec: no assembly here") }

func axpyIntoAVX(dst *float32, alpha float32, x, y *float32, n int) {
	panic("vec: no assembly here")
}

func expsAVX2(dst, x *float32, n int)                           { panic("vec: no assembly here") }
func tanhsAVX2(dst, x *float32, n int)                          { panic("vec: no assembly here") }
func softplusSigmoidsAVX2(softplus, sigmoid, x *float32, n int) { panic("vec: no assembly here") }

func normalsAVX2(dst []float32, key, stream, block uint64) { panic("vec: no assembly here") }

func squaredDistances4AVX(dst, query *float32, w int, rows *float32, groups int) {
	panic("vec: no assembly here")
}

func dots4AVX(dst, query *float32, w int, rows *float32, groups int) { panic("vec: no assembly here") }

func adamAVX(x, grad, m, v *float32, n int, step, eps float32) { panic("vec: no assembly here") }

func accumulateRows512(y *float32, n int, c, x *float32, rows *int32, m, keep int) {
	panic("vec: no assembly here")
}
