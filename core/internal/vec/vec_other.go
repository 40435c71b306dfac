//go:build !amd64

package vec

const (
	useAVX  = false
	useAVX2 = false
)

func dotAVX(x, y *float32, n int) float32             { panic("vec: no assembly here") }
func squaredDistanceAVX(x, y *float32, n int) float32 { panic("vec: no assembly here") }
func axpyAVX(alpha float32, x, y *float32, n int)     { panic("vec: no assembly here") }

func accumulateAVX(y *float32, n int, c *float32, x *float32, m int) {
	panic("vec: no assembly here")
}

func expsAVX2(dst, x *float32, n int)                           { panic("vec: no assembly here") }
func tanhsAVX2(dst, x *float32, n int)                          { panic("vec: no assembly here") }
func softplusSigmoidsAVX2(softplus, sigmoid, x *float32, n int) { panic("vec: no assembly here") }

func uniformsAVX2(dst []uint32, key, stream, block uint64) { panic("vec: no assembly here") }
func normalsAVX2(dst []float32, key, stream, block uint64) { panic("vec: no assembly here") }

func squaredDistances4AVX(dst, query *float32, w int, rows *float32, groups int) {
	panic("vec: no assembly here")
}

func dots4AVX(dst, query *float32, w int, rows *float32, groups int) { panic("vec: no assembly here") }

func lowerAVX(dst, row, eps *float32, h int)              { panic("vec: no assembly here") }
func sampleDiffAVX(diff, z, xa, row, eps *float32, h int) { panic("vec: no assembly here") }
func twoDiffAVX(dst, diff, va, row, eps *float32, h int)  { panic("vec: no assembly here") }

func tripletBackwardAVX(grad, accD, accX, anchor, row, diff, beta, eps *float32, h int, c2 float32) {
	panic("vec: no assembly here")
}

func slopeScaleAVX(e, tanh, w2 *float32, n int, c float32) { panic("vec: no assembly here") }
func slopeDotAVX(tanh, t, w2 *float32, n int) float32      { panic("vec: no assembly here") }
func secondOrderAVX(da, dt, gw, tanh, t, w2 *float32, n int, rho, ws float32) {
	panic("vec: no assembly here")
}

func adamAVX(x, grad, m, v *float32, n int, step, eps float32) { panic("vec: no assembly here") }
