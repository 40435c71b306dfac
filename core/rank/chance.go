package rank

import "math"

// Moments returns mean and variance of the squared distance D² = ‖x_u − x_j‖² when the visitor's mean and the item are
// drawn, x_u ~ N(μ_u, diag(spread²)), x_j ~ N(μ_j, diag(s_j²)). With δ = μ_u − μ_j and v = spread² + s_j² per dimension,
//
//	E D² = Σ_d δ_d² + v_d        Var D² = Σ_d 2v_d² + 4δ_d²v_d
//
// which is exact. mean and spread are h, item is a row of 2h. O(h).
func Moments(mean, spread, item []float32) (expected, variance float64) {
	h := len(mean)
	spread, mu, sd := spread[:h], item[:h], item[h:][:h]
	for d, m := range mean {
		delta := float64(m) - float64(mu[d])
		v := float64(float64(spread[d])*float64(spread[d])) + float64(float64(sd[d])*float64(sd[d]))
		d2 := float64(delta * delta)
		expected += d2 + v
		variance += float64(v * (2*v + 4*d2))
	}
	return expected, variance
}

// Chance returns the probability that D² with these moments is below a threshold, D² taken as normal: a sum of many
// independent terms nearly is. Without variance it is 0, ½ or 1. The absolute error against the true distribution is
// measured in the tests.
func Chance(expected, variance, threshold float64) float64 {
	diff := threshold - expected
	if !(variance > 0) {
		switch {
		case diff > 0:
			return 1
		case diff < 0:
			return 0
		}
		return 0.5
	}
	return normalCDF(diff / math.Sqrt(variance))
}
