package recommend

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

// Scatter returns the standard deviation of W2² from a fixed point that lies at W2² = distance from an item, when the item's
// mean is drawn with a variance in all, spread evenly over h dimensions:
//
//	Var = 2V²/h + 4·distance·V/h
//
// which is that of Moments for an even spread, the distance taken to lie in the means alone. O(1).
func Scatter(distance, variance float32, h int) float32 {
	v, d := float64(variance), float64(max(distance, 0))
	return float32(math.Sqrt(float64(2*v) * (v + float64(2*d)) / float64(h)))
}
