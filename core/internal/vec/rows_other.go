//go:build !amd64

package vec

// fast reports whether the assembly supports rows of n.
func fast(int) bool { return false }

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
