package pmlam

import "math"

// Adam's constants (Kingma and Ba 2015), PyTorch's defaults.
const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

// adam is the state of Adam for a block of values: first and second moments. Rows that a step does not touch keep
// their state ("lazy" Adam, as PyTorch's SparseAdam); the bias correction counts all steps.
type adam struct{ m, v []float32 }

func newAdam(n int) adam { return adam{make([]float32, n), make([]float32, n)} }

// rate returns the step size at step t ≥ 1 with the bias corrections folded in: lr·√(1−β₂ᵗ)/(1−β₁ᵗ), and the ε that
// belongs to it, ε·√(1−β₂ᵗ), so that update is exactly m̂/(√v̂+ε).
func rate(lr float64, t int) (step, eps float32) {
	c2 := math.Sqrt(1 - math.Pow(beta2, float64(t)))
	return float32(lr * c2 / (1 - math.Pow(beta1, float64(t)))), float32(epsilon * c2)
}

// update moves x along −g; m and v are the state of the same values. O(len(x)).
func update(x, g, m, v []float32, step, eps float32) {
	m, v, g = m[:len(x)], v[:len(x)], g[:len(x)]
	for i := range x {
		m[i] = beta1*m[i] + (1-beta1)*g[i]
		v[i] = beta2*v[i] + (1-beta2)*g[i]*g[i]
		x[i] -= step * m[i] / (float32(math.Sqrt(float64(v[i]))) + eps)
	}
}
