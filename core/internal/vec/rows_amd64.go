package vec

// fast reports whether the assembly supports rows of n.
func fast(n int) bool { return useAVX && n > 0 && n%8 == 0 }

// Lengths are positive multiples of 8; eps may be nil, except in lowerAVX.

//go:noescape
func lowerAVX(dst, row, eps *float32, h int)

//go:noescape
func sampleDiffAVX(diff, z, xa, row, eps *float32, h int)

//go:noescape
func twoDiffAVX(dst, diff, va, row, eps *float32, h int)

//go:noescape
func tripletBackwardAVX(grad, accD, accX, anchor, row, diff, beta, eps *float32, h int, c2 float32)

//go:noescape
func addProductAVX(y, x, z *float32, n int)

//go:noescape
func slopeScaleAVX(e, tanh, w2 *float32, n int, c float32)

//go:noescape
func slopeDotAVX(tanh, t, w2 *float32, n int) float32

//go:noescape
func secondOrderAVX(da, dt, gw, tanh, t, w2 *float32, n int, rho, ws float32)

//go:noescape
func adamAVX(x, grad, m, v *float32, n int, step, eps float32)
