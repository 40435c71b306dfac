package pmlam

import (
	"math"

	"github.com/pmlam/pmlam/core/internal/huge"
)

// Adam's constants (Kingma and Ba 2015), PyTorch's defaults; vec.Adam holds to the first two.
const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

// adam is the state of Adam for a block of values: first and second moments. Rows that a step does not touch keep
// their state ("lazy" Adam, as PyTorch's SparseAdam); the bias correction counts all steps.
type adam struct{ m, v []float32 }

func newAdam(n int) adam {
	a := adam{make([]float32, n), make([]float32, n)}
	huge.Advise(a.m)
	huge.Advise(a.v)
	return a
}

// rate returns the step size at step t ≥ 1 with the bias corrections folded in: lr·√(1−β₂ᵗ)/(1−β₁ᵗ), and the ε that
// belongs to it, ε·√(1−β₂ᵗ), so that vec.Adam moves by exactly lr·m̂/(√v̂+ε).
func rate(lr float64, t int) (step, eps float32) {
	c2 := math.Sqrt(1 - math.Pow(beta2, float64(t)))
	return float32(lr * c2 / (1 - math.Pow(beta1, float64(t)))), float32(epsilon * c2)
}
