package training

import "math"

// Adam's constants (Kingma and Ba 2015), PyTorch's defaults; vec.Adam holds to the first two.
const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

// AdamStep returns the step size at step n ≥ 1 with the bias corrections folded in: rate·√(1−β₂ⁿ)/(1−β₁ⁿ), and the ε that
// belongs to it, ε·√(1−β₂ⁿ), so that vec.Adam moves by exactly rate·m̂/(√v̂+ε).
func AdamStep(rate float64, n int) (size, eps float32) {
	c2 := math.Sqrt(1 - math.Pow(beta2, float64(n)))
	return float32(rate * c2 / (1 - math.Pow(beta1, float64(n)))), float32(epsilon * c2)
}
