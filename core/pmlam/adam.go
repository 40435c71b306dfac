package pmlam

import (
	"github.com/pmlam/pmlam/core/internal/parallel"
)

// adam is the state of Adam for a block of values: first and second moments. Rows that a step does not touch keep
// their state ("lazy" Adam, as PyTorch's SparseAdam); the bias correction counts all steps.
type adam struct{ m, v []float32 }

func newAdam(n int) adam {
	a := adam{make([]float32, n), make([]float32, n)}
	parallel.AdviseHuge(a.m)
	parallel.AdviseHuge(a.v)
	return a
}
