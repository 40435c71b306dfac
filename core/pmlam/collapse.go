package pmlam

import (
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/training"
)

// alike is how far two numbers may lie apart, as a share of the larger, to be the same but for rounding.
const alike = 1e-6

// collapsed returns a *training.CollapseError where all items of a result have the same Gaussian, so that any order of
// them is as good as any other: a training that began so, or that the bounds brought there. O(I·h) then, O(h)
// otherwise, for the first two items differ.
func (r *Result) collapsed() error {
	if r.Items.Len() < 2 || r.Epoch == 0 {
		return nil
	}
	first := r.Items.Row(0)
	for i := 1; i < r.Items.Len(); i++ {
		for d, x := range r.Items.Row(i) {
			most := max(math.Abs(float64(x)), math.Abs(float64(first[d])), gaussian.MinStddev)
			if math.Abs(float64(x)-float64(first[d])) > alike*most {
				return nil
			}
		}
	}
	return &training.CollapseError{Epoch: r.Epoch, What: "all items have the same Gaussian"}
}
