package rank

import "math"

// Moments returns mean and variance of D² = ‖x_u − x_j‖² between means that are not known but drawn, x_u ~ N(μ_u,
// diag(spread²)) and x_j ~ N(μ_j, diag(itemSpread²)). With δ = μ_u − μ_j and v = spread² + itemSpread² per dimension,
//
//	E D² = Σ_d δ_d² + v_d        Var D² = Σ_d 2v_d² + 4δ_d²v_d
//
// which is exact. All four have length h. O(h).
func Moments(mean, spread, item, itemSpread []float32) (expected, variance float64) {
	h := len(mean)
	spread, item, itemSpread = spread[:h], item[:h], itemSpread[:h]
	for d, m := range mean {
		delta := float64(m) - float64(item[d])
		s, t := float64(spread[d]), float64(itemSpread[d])
		v := float64(s*s) + float64(t*t)
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
