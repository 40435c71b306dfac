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
// self = 2c, coef = −2c, src = a. Other gradients stand in dense as they are, with coef = 1. A term of coef = self = 0
// adds nothing but says that the step touches its row; one with row < 0 says nothing at all.
type term struct {
	row, src   int32
	coef, self float32
}

// none is the term that says nothing.
var none = term{row: -1}

// ledger sums terms by row. Its memory is reused from step to step; the zero value is ready to use.
type ledger struct {
	start []int32     // rows+1: where each row's terms begin in order
	order []int32     // terms sorted by row, stable
	sums  [][]float32 // one row a worker
}

// each calls use(r, Σ) with the sum of the terms of every row that has any. A row is summed by one worker in the order
// of terms, so the result does not depend on workers, and use may write what belongs to row r without a lock; the sum
// is only lent. x is rows×width, dense any number of rows of that width. O(len(terms)·width).
func (l *ledger) each(workers int, terms []term, x, dense []float32, width int, use func(r int, sum []float32)) {
	rows := len(x) / width
	l.sort(terms, rows)
	for len(l.sums) < workers {
		l.sums = append(l.sums, nil)
	}
	parallel(workers, rows, func(worker, _, from, to int) {
		l.sums[worker] = resize(l.sums[worker], width)
		g := l.sums[worker]
		for r := from; r < to; r++ {
			own := l.order[l.start[r]:l.start[r+1]]
			if len(own) == 0 {
				continue
			}
			clear(g)
			var self float32
			for _, i := range own {
				t := &terms[i]
				self += t.self
				if t.coef != 0 {
					vec.Axpy(t.coef, dense[int(t.src)*width:(int(t.src)+1)*width], g)
				}
			}
			if self != 0 {
				vec.Axpy(self, x[r*width:(r+1)*width], g)
			}
			use(r, g)
		}
	})
}

// sort lists the terms by row, in a stable order, by counting. O(rows + len(terms)).
func (l *ledger) sort(terms []term, rows int) {
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
}
