package vec

// temporary stand-ins until the kernels are there
func Lower(dst, row, eps []float32) {
	h := len(dst)
	copy(dst, row[:h])
	if eps == nil {
		return
	}
	for d := range dst {
		dst[d] += float32(row[h+d] * eps[d])
	}
}
func SampleDiff(diff, z, xa, row, eps []float32) {
	Lower(diff, row, eps)
	for i := range diff {
		diff[i] = xa[i] - diff[i]
		z[i] = float32(diff[i] * diff[i])
	}
}
func TwoDiff(dst, diff, va, row, eps []float32) {
	Lower(dst, row, eps)
	for i := range dst {
		dst[i] = float32(2*diff[i]) * (va[i] - dst[i])
	}
}
func TripletBackward(grad, accD, accX, anchor, row, diff, beta, eps []float32, c float32) {
	h := len(diff)
	for i := range grad {
		e := float32(2 * c * (row[i] - anchor[i]))
		accD[i] -= e
		grad[i] = e
	}
	for i := range diff {
		dx := -2 * float32(diff[i]*beta[i])
		accX[i] -= dx
		grad[i] += dx
		if eps != nil {
			grad[h+i] += float32(dx * eps[i])
		}
	}
}
func SlopeScale(e, g, w2 []float32, c float32) {
	for j := range e {
		e[j] = float32(c*w2[j]) * (1 - float32(g[j]*g[j]))
	}
}
func SecondOrder(da, dt, gw, g, t, w2 []float32, weight, s float32) float32 {
	var kappa float32
	for j := range t {
		kappa += float32(w2[j] * (1 - float32(g[j]*g[j])) * t[j])
	}
	rho := weight * s * (1 - s) * kappa
	ws := weight * s
	for j := range t {
		slope, tj := 1-float32(g[j]*g[j]), t[j]
		gw[j] += float32(rho*g[j]) + float32(ws*slope*tj)
		da[j] = float32(rho*w2[j]*slope) - float32(2*ws*w2[j]*g[j]*slope*tj)
		dt[j] = ws * w2[j] * slope
	}
	return rho
}
