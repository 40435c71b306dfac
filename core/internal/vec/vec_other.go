//go:build !amd64

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

func lowerAVX(dst, row, eps *float32, h int)              { panic("vec: no assembly here") }
func sampleDiffAVX(diff, z, xa, row, eps *float32, h int) { panic("vec: no assembly here") }
func twoDiffAVX(dst, diff, va, row, eps *float32, h int)  { panic("vec: no assembly here") }

func tripletBackwardAVX(grad, accD, accX, anchor, row, diff, beta, eps *float32, h int, c2 float32) {
	panic("vec: no assembly here")
}

func addProductAVX(y, x, z *float32, n int)                { panic("vec: no assembly here") }
func slopeScaleAVX(e, tanh, w2 *float32, n int, c float32) { panic("vec: no assembly here") }
func slopeDotAVX(tanh, t, w2 *float32, n int) float32      { panic("vec: no assembly here") }
func secondOrderAVX(da, dt, gw, tanh, t, w2 *float32, n int, rho, ws float32) {
	panic("vec: no assembly here")
}

func adamAVX(x, grad, m, v *float32, n int, step, eps float32) { panic("vec: no assembly here") }

func accumulateRows512(y *float32, n int, c, x *float32, rows *int32, m, keep int) {
	panic("vec: no assembly here")
}

func prefetchRows(x *float32, n int, rows *int32, m int) {}

func sampleDiffs(diff, z, xa, x *float32, rows *int32, eps *float32, h, n, wide int) {
	panic("vec: no assembly here")
}

func twoDiffs(dst, square, diff, va, x *float32, rows, ahead *int32, eps *float32, at *int32, h, n, wide int) {
	panic("vec: no assembly here")
}

func tripletsBackward(grad, accD, accX, anchor, x *float32, rows *int32, diff, beta, eps, c *float32, at *int32, h, n,
	wide int) {
	panic("vec: no assembly here")
}

func slopesScale(e, sum, tanh, w2, c *float32, at *int32, h, n, wide int) {
	panic("vec: no assembly here")
}

func secondOrders(da, dt, gw, sumA, sumT, tanh, w2, rho, ws *float32, at *int32, h, n, wide int) {
	panic("vec: no assembly here")
}

func slopeDots(kappa, tanh, t, w2 *float32, at *int32, h, n int) { panic("vec: no assembly here") }

func squaredDistancesOf(dst, query, x *float32, rows, ahead *int32, w, n int) {
	panic("vec: no assembly here")
}

func spread(dst, row *float32, h, n int) { panic("vec: no assembly here") }

func wideBlocks(int) int { return 0 }
