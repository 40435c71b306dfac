package vec

// n and m are positive; the rows are inside x. With keep = 0, y is not read.
//
//go:noescape
func accumulateRows512(y *float32, n int, c, x *float32, rows *int32, m, keep int)

//go:noescape
func prefetchRows(x *float32, n int, rows *int32, m int)

// h is a positive multiple of 8, and n, the number of rows, is positive. wide is the number of blocks of 16 columns for
// AVX-512.

//go:noescape
func sampleDiffs(diff, z, xa, x *float32, rows *int32, eps *float32, h, n, wide int)

//go:noescape
func twoDiffs(dst, square, diff, va, x *float32, rows, ahead *int32, eps *float32, at *int32, h, n, wide int)

//go:noescape
func tripletsBackward(grad, accD, accX, anchor, x *float32, rows *int32, diff, beta, eps, c *float32, at *int32, h, n,
	wide int)

//go:noescape
func slopesScale(e, sum, tanh, w2, c *float32, at *int32, h, n, wide int)

//go:noescape
func secondOrders(da, dt, gw, sumA, sumT, tanh, w2, rho, ws *float32, at *int32, h, n, wide int)

//go:noescape
func slopeDots(kappa, tanh, t, w2 *float32, at *int32, h, n int)

//go:noescape
func squaredDistancesOf(dst, query, x *float32, rows, ahead *int32, w, n int)

//go:noescape
func spread(dst, row *float32, h, n int)

// wideBlocks returns the number of blocks of 16 of h columns for AVX-512.
func wideBlocks(h int) int {
	if useAVX512 {
		return h / 16
	}
	return 0
}
