package learned

import (
	"math"
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// sphere returns a table of n rows of unit length in random directions, for methods that score by the cosine of two
// rows. If they restore unit length after every step, cosines are products.
func sphere(name string, n, dim int, r *rand.Rand) *Param {
	p := normal(name, n, dim, 1, r)
	for k := range n {
		normalise(p.Row(int32(k)))
	}
	return p
}

// turning returns a table of n rows of any length, for losses that normalise rows: Data has their directions, random at
// first, and the lengths, 1 at first, are kept separately. A step that turns a row lengthens it and so shrinks later
// turns: rows in many samples settle first.
func turning(name string, n, dim int, r *rand.Rand) *Param {
	p := sphere(name, n, dim, r)
	p.m, p.lengths, p.moved = nil, make([]float32, n), make([]float32, n)
	for k := range p.lengths {
		p.lengths[k] = 1
	}
	return p
}

// turn moves row r of a turning table in step number by g, the gradient of its direction d: RMSProp moves the row y =
// ‖y‖·d, whose gradient is (g − (g·d)d)/‖y‖. g is overwritten. size and eps are RMSPropStep's. O(Cols).
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

// shortest is the length used for a row of zeros, so that it can leave zero again.
const shortest = 1e-6

// normalise scales a row to length 1 and returns its previous length; a row of zeros stays.
func normalise(row []float32) (length float32) {
	length = float32(math.Sqrt(float64(vec.Dot(row, row))))
	if length > 0 {
		for k := range row {
			row[k] /= length
		}
	}
	return length
}
