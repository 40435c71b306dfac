package pmlam

import (
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// term is one contribution to the gradient of one row:
//
//	grad[row] += coef·dense[src] + self·x[row]
//
// The loss depends on rows mostly through squared distances; c·‖x_r−a‖² contributes 2c·x_r − 2c·a, that is
// self = 2c, coef = −2c, src = a. Other gradients stand in dense as they are, with coef = 1. A term of coef = self = 0
// adds nothing, but marks its row as touched by the step. A term with row < 0 is ignored.
type term struct {
	row, src   int32
	coef, self float32
}

// noTerm fills the place of a term that is not needed: it adds nothing to no row.
var noTerm = term{row: -1}

// termSums sums terms by row. Its memory is reused from step to step; the zero value is ready to use.
type termSums struct {
	start   []int32   // rows+1: where each row's terms of coef ≠ 0 begin in src and coef
	src     []int32   // of the terms, by row, in the order of terms
	coef    []float32 // likewise
	self    []float32 // rows: sum of the terms' self
	touched []bool    // rows: there is a term
	buffers [][]float32
}

// each calls use(r, Σ) with the sum of the terms of every row that has any. A row is summed by one worker in the order
// of terms, so the result does not depend on workers, and use may write what belongs to row r without a lock. The sum
// stands where into(r) says; where that is nil, it is only lent. x is rows×width, dense any number of rows of that
// width. O(len(terms)·width).
func (l *termSums) each(workers int, terms []term, x, dense []float32, width int, into func(r int) []float32,
	use func(r int, sum []float32)) {
	rows := len(x) / width
	l.sort(terms, rows)
	for len(l.buffers) < workers {
		l.buffers = append(l.buffers, nil)
	}
	parallel.Do(workers, rows, func(worker, _, from, to int) {
		l.buffers[worker] = resize(l.buffers[worker], width)
		for r := from; r < to; r++ {
			if !l.touched[r] {
				continue
			}
			a, b := l.start[r], l.start[r+1]
			// Load the terms of a later row into the cache: they are scattered over dense.
			vec.Prefetch(dense, width, l.src[l.start[min(r+prefetched, to)]:l.start[min(r+prefetched+1, to)]])
			g := into(r)
			if g == nil {
				g = l.buffers[worker]
			}
			vec.SumRows(g, l.coef[a:b], dense, l.src[a:b])
			if self := l.self[r]; self != 0 {
				vec.Axpy(self, x[r*width:(r+1)*width], g)
			}
			use(r, g)
		}
	})
}

// prefetched is how many rows ahead a termSums asks for what it sums.
const prefetched = 3

// sort lists the terms by row, in a stable order, by counting. O(rows + len(terms)).
func (l *termSums) sort(terms []term, rows int) {
	l.start = vec.Resize(l.start, rows+1)
	l.touched = vec.Resize(l.touched, rows)
	l.self = resize(l.self, rows)
	clear(l.start)
	clear(l.touched)
	clear(l.self)
	for i := range terms {
		t := &terms[i]
		if t.row < 0 {
			continue
		}
		l.touched[t.row] = true
		l.self[t.row] += t.self
		if t.coef != 0 {
			l.start[t.row+1]++
		}
	}
	for r := range rows {
		l.start[r+1] += l.start[r]
	}
	total := int(l.start[rows])
	l.src, l.coef = vec.Resize(l.src, total), resize(l.coef, total)
	// Filling moves each start to the next row's; shifting them back afterwards saves a second array.
	for i := range terms {
		if t := &terms[i]; t.row >= 0 && t.coef != 0 {
			at := l.start[t.row]
			l.src[at], l.coef[at] = t.src, t.coef
			l.start[t.row]++
		}
	}
	copy(l.start[1:], l.start[:rows])
	l.start[0] = 0
}
