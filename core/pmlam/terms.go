package pmlam

import (
	"slices"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// term is one contribution to the gradient of one row:
//
//	grad[row] += coef·dense[src] + self·x[row]
//
// The loss depends on rows mostly through squared distances; c·‖x_r−a‖² contributes 2c·x_r − 2c·a, that is
// self = 2c, coef = −2c, src = a. Other gradients stand in dense as they are, with coef = 1. A term with row < 0
// contributes nothing.
type term struct {
	row, src   int32
	coef, self float32
}

// none is the term that contributes nothing.
var none = term{row: -1}

// ledger sums terms by row. Its memory is reused from step to step; the zero value is ready to use.
type ledger struct {
	start []int32 // rows+1: where each row's terms begin in order
	order []int32 // terms sorted by row, stable
}

// sum writes Σ terms into grad (rows×width, overwritten). Each row is summed by one worker in the order of terms, so
// the result does not depend on workers. x is rows×width, dense any number of rows of that width. Only the first used
// columns take part; the others get a gradient of exactly 0. O(len(terms)·width).
func (l *ledger) sum(workers int, terms []term, x, dense, grad []float32, width, used int) {
	rows := len(x) / width
	l.start = slices.Grow(l.start[:0], rows+1)[:rows+1]
	clear(l.start)
	for i := range terms {
		if r := terms[i].row; r >= 0 {
			l.start[r+1]++
		}
	}
	for r := range rows {
		l.start[r+1] += l.start[r]
	}
	total := int(l.start[rows])
	l.order = slices.Grow(l.order[:0], total)[:total]
	// Filling moves each start to the next row's; shifting them back afterwards saves a second array.
	for i := range terms {
		if r := terms[i].row; r >= 0 {
			l.order[l.start[r]] = int32(i)
			l.start[r]++
		}
	}
	copy(l.start[1:], l.start[:rows])
	l.start[0] = 0

	parallel(workers, rows, func(_, _, from, to int) {
		for r := from; r < to; r++ {
			g := grad[r*width : (r+1)*width]
			clear(g)
			g = g[:used]
			var self float32
			for _, i := range l.order[l.start[r]:l.start[r+1]] {
				t := &terms[i]
				self += t.self
				if t.coef != 0 {
					vec.Axpy(t.coef, dense[int(t.src)*width:int(t.src)*width+used], g)
				}
			}
			if self != 0 {
				vec.Axpy(self, x[r*width:r*width+used], g)
			}
		}
	})
}
