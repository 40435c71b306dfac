package learned

import (
	"math"
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// sphere returns a table of n rows of unit length in random directions. Methods that score by the cosine of two rows
// bring them back to unit length after every step, so cosines are products. Their authors have rows of any length,
// which the loss normalises: these grow, as every step is at a right angle to them, and turn ever more slowly. Scores
// are of the same form.
func sphere(name string, n, dim int, r *rand.Rand) *Param {
	p := normal(name, n, dim, 1, r)
	for k := range n {
		normalise(p.Row(int32(k)))
	}
	return p
}

// normalise makes a row's length 1, and returns what it was; a row of zeros stays.
func normalise(row []float32) (length float32) {
	length = float32(math.Sqrt(float64(vec.Dot(row, row))))
	if length > 0 {
		for k := range row {
			row[k] /= length
		}
	}
	return length
}
