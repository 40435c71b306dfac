package learned

import (
	"math"
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// sphere returns a table of n rows of unit length in random directions, for methods that score by the cosine of two
// rows. Where they bring a row back to unit length after every step, cosines are products.
func sphere(name string, n, dim int, r *rand.Rand) *Param {
	p := normal(name, n, dim, 1, r)
	for k := range n {
		normalise(p.Row(int32(k)))
	}
	return p
}

// turning returns a table of n rows of any length, as a loss has them that normalises them: Data has their directions,
// at first random ones, and their lengths, at first 1, are kept beside. A step that turns a row makes it longer, and so
// the later ones smaller: rows that many samples name come to rest first.
func turning(name string, n, dim int, r *rand.Rand) *Param {
	p := sphere(name, n, dim, r)
	p.m, p.lengths, p.moved = nil, make([]float32, n), make([]float32, n)
	for k := range p.lengths {
		p.lengths[k] = 1
	}
	return p
}

// turn moves row r of a table that turns, in step number, by g, the gradient by its direction d: RMSProp moves the row
// y = ‖y‖·d, whose gradient is (g − (g·d)d)/‖y‖. g is overwritten. size and eps are RMSPropStep's. O(Cols).
func (p *Param) turn(r int, g []float32, number int, size, eps float32) {
	row, length := vec.Row(p.Data, r, p.Cols), p.lengths[r]
	vec.Axpy(-vec.Dot(g, row), row, g)
	for k := range row {
		g[k] /= length
		row[k] *= length
	}
	vec.RMSProp(row, g, vec.Row(p.v, r, p.Cols), number-int(p.moved[r]), size, eps)
	p.lengths[r] = max(normalise(row), shortest)
	p.moved[r] = float32(number)
}

// shortest is the length that a row of zeros is taken to have, so that it can leave zero again.
const shortest = 1e-6

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
