package vec

// The row kernels of the margin pass. A row is a Gaussian, [μ; s] of h values each; eps is the noise of a draw
//
//	x = μ + s⊙ε ∈ R^h
//
// and nil means x = μ. The kernels round every product and every sum. They are fastest for multiples of 8. O(h).

// Lower writes the draw of row to dst, h = len(dst).
func Lower(dst, row, eps []float32) {
	h := len(dst)
	if eps == nil {
		copy(dst, row[:h])
		return
	}
	row, eps = row[:2*h], eps[:h]
	if fast(h) {
		lowerAVX(&dst[0], &row[0], &eps[0], h)
		return
	}
	lowerGo(dst, row, eps)
}

func lowerGo(dst, row, eps []float32) {
	for i := range dst {
		dst[i] = drawn(row, eps, len(dst), i)
	}
}

// drawn is x_i.
func drawn(row, eps []float32, h, i int) float32 {
	if eps == nil {
		return row[i]
	}
	return row[i] + float32(row[h+i]*eps[i])
}

// SampleDiff writes xa − x to diff and its square to z, where x is the draw of row and h = len(diff).
func SampleDiff(diff, z, xa, row, eps []float32) {
	h := len(diff)
	z, xa = z[:h], xa[:h]
	row, e := bounded(row, eps, h)
	if fast(h) {
		sampleDiffAVX(&diff[0], &z[0], &xa[0], &row[0], e, h)
		return
	}
	sampleDiffGo(diff, z, xa, row, eps)
}

func sampleDiffGo(diff, z, xa, row, eps []float32) {
	for i := range diff {
		d := xa[i] - drawn(row, eps, len(diff), i)
		diff[i], z[i] = d, float32(d*d)
	}
}

// TwoDiff writes 2·diff⊙(va − v) to dst, the derivative of diff² as its two ends move by va and v, where v is the draw
// of row and h = len(dst).
func TwoDiff(dst, diff, va, row, eps []float32) {
	h := len(dst)
	diff, va = diff[:h], va[:h]
	row, e := bounded(row, eps, h)
	if fast(h) {
		twoDiffAVX(&dst[0], &diff[0], &va[0], &row[0], e, h)
		return
	}
	twoDiffGo(dst, diff, va, row, eps)
}

func twoDiffGo(dst, diff, va, row, eps []float32) {
	for i := range dst {
		dst[i] = float32(2*diff[i]) * (va[i] - drawn(row, eps, len(dst), i))
	}
}

// TripletBackward distributes the gradients of c·‖row − anchor‖², and of a margin whose gradient by the squared
// differences diff² between the anchor's draw and the row's is beta:
//
//	e = 2c·(row − anchor) ∈ R^2h     accD ← accD − e        grad[:h] = e[:h] + dx
//	dx = −2·diff⊙beta ∈ R^h          accX ← accX − dx       grad[h:] = e[h:] + dx⊙eps     (e[h:] where eps is nil)
//
// h = len(diff).
func TripletBackward(grad, accD, accX, anchor, row, diff, beta, eps []float32, c float32) {
	h := len(diff)
	grad, accD, accX, anchor, beta = grad[:2*h], accD[:2*h], accX[:h], anchor[:2*h], beta[:h]
	row = row[:2*h]
	_, e := bounded(row, eps, h)
	if fast(h) {
		tripletBackwardAVX(&grad[0], &accD[0], &accX[0], &anchor[0], &row[0], &diff[0], &beta[0], e, h, 2*c)
		return
	}
	tripletBackwardGo(grad, accD, accX, anchor, row, diff, beta, eps, 2*c)
}

func tripletBackwardGo(grad, accD, accX, anchor, row, diff, beta, eps []float32, c2 float32) {
	h := len(diff)
	for i := range diff {
		e, f := float32(c2*(row[i]-anchor[i])), float32(c2*(row[h+i]-anchor[h+i]))
		dx := -2 * float32(diff[i]*beta[i])
		accD[i] -= e
		accD[h+i] -= f
		accX[i] -= dx
		grad[i] = e + dx
		if eps != nil {
			f += float32(dx * eps[i])
		}
		grad[h+i] = f
	}
}

// AddProduct adds x⊙z to y. x and z must be at least as long as y.
func AddProduct(y, x, z []float32) {
	x, z = x[:len(y)], z[:len(y)]
	if fast(len(y)) {
		addProductAVX(&y[0], &x[0], &z[0], len(y))
		return
	}
	addProductGo(y, x, z)
}

func addProductGo(y, x, z []float32) {
	for i := range y {
		y[i] += float32(x[i] * z[i])
	}
}

// bounded checks that row has 2h values (h without noise) and eps h, and returns a pointer to eps or nil.
func bounded(row, eps []float32, h int) ([]float32, *float32) {
	if eps == nil || h == 0 {
		return row[:h], nil
	}
	_ = eps[h-1]
	return row[:2*h], &eps[0]
}

// SlopeScale writes c·w2_j·(1 − g_j²) to e_j: the gradient before the tanh, for an upstream gradient c of w₂·g.
func SlopeScale(e, g, w2 []float32, c float32) {
	g, w2 = g[:len(e)], w2[:len(e)]
	if fast(len(e)) {
		slopeScaleAVX(&e[0], &g[0], &w2[0], len(e), c)
		return
	}
	slopeScaleGo(e, g, w2, c)
}

func slopeScaleGo(e, g, w2 []float32, c float32) {
	for j := range e {
		e[j] = float32(c*w2[j]) * (1 - float32(g[j]*g[j]))
	}
}

// SecondOrder is the part of the margin's mixed second derivative at the hidden units, times weight. With s = σ(o), t
// the units' derivative along the direction and slope_j = 1 − g_j²:
//
//	κ = Σ_j w2_j·slope_j·t_j (in lanes, as Dot)        ρ = weight·s(1−s)·κ
//	gw_j ← gw_j + (ρ·g_j + weight·s·slope_j·t_j)       dt_j = weight·s·w2_j·slope_j
//	da_j = ρ·w2_j·slope_j − 2·weight·s·g_j·(w2_j·slope_j·t_j)
//
// It returns ρ. da or dt may be t.
func SecondOrder(da, dt, gw, g, t, w2 []float32, weight, s float32) (rho float32) {
	n := len(t)
	da, dt, gw, g, w2 = da[:n], dt[:n], gw[:n], g[:n], w2[:n]
	ws := weight * s
	if fast(n) {
		kappa := slopeDotAVX(&g[0], &t[0], &w2[0], n)
		rho = ws * (1 - s) * kappa
		secondOrderAVX(&da[0], &dt[0], &gw[0], &g[0], &t[0], &w2[0], n, rho, ws)
		return rho
	}
	rho = ws * (1 - s) * slopeDotGo(g, t, w2)
	secondOrderGo(da, dt, gw, g, t, w2, rho, ws)
	return rho
}

func slopeDotGo(g, t, w2 []float32) float32 {
	var sums [Lanes]float32
	for j, v := range g {
		sums[j%Lanes] += float32(float32(w2[j]*(1-float32(v*v))) * t[j])
	}
	return fold(&sums)
}

func secondOrderGo(da, dt, gw, g, t, w2 []float32, rho, ws float32) {
	for j, v := range g {
		slope := 1 - float32(v*v)
		w := float32(w2[j] * slope)
		gw[j] += float32(rho*v) + float32(ws*float32(slope*t[j]))
		a := float32(rho*w) - float32(float32(2*ws*v)*float32(w*t[j]))
		da[j], dt[j] = a, float32(ws*w)
	}
}
