package pmlam

import (
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/training"
)

// alike is the relative difference below which two numbers count as equal.
const alike = 1e-6

// collapsed returns a *training.CollapseError if all items of a result have the same Gaussian, so that no ranking is
// meaningful. They may have started equal, or the bounds made them equal. O(I·h) in that case; usually O(h), since the
// first two items differ.
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
