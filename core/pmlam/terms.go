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
// adds nothing, but marks its row as touched by the step; of any other src is a row of dense, also where coef is 0. A
// term with row < 0 is ignored.
type term struct {
	row, src   int32
	coef, self float32
}

// noTerm fills the place of a term that is not needed: it adds nothing to no row.
var noTerm = term{row: -1}

// termSums sums terms by row. Its memory is reused from step to step; the zero value is ready to use.
type termSums struct {
	start   []int32   // rows+1: where each row's terms that add something begin in src, coef and self
	src     []int32   // of these terms, by row, in the order of terms
	coef    []float32 // likewise
	self    []float32 // likewise
	touched []bool    // rows: there is a term
	counts  []int32   // parts×rows: of the terms of a part
	buffers [][]float32
}

// each calls use(r, Σ) with the sum of the terms of every row that has any. A row is summed by one worker in the order
// of terms, so the result does not depend on workers, and use may write what belongs to row r without a lock. The sum
// stands where into(r) says; where that is nil, it is only lent. x is rows×width, dense any number of rows of that
// width. O(len(terms)·width).
func (l *termSums) each(workers int, terms []term, x, dense []float32, width int, into func(r int) []float32,
	use func(r int, sum []float32)) {
	rows := len(x) / width
	l.sort(workers, terms, rows)
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
			var self float32
			for _, c := range l.self[a:b] {
				self += c
			}
			if self != 0 {
				vec.Axpy(self, x[r*width:(r+1)*width], g)
			}
			use(r, g)
		}
	})
}

// prefetched is how many rows ahead a termSums asks for what it sums.
const prefetched = 3

// sort lists the terms by row, in a stable order, by counting. The terms are cut into parts, one a worker, but fewer
// where rows have few terms each: going over the counts of all parts then costs no more than counting does.
// O(rows·parts + len(terms)).
func (l *termSums) sort(workers int, terms []term, rows int) {
	parts := min(workers, 1+len(terms)/(4*max(rows, 1)))
	l.start, l.touched = vec.Resize(l.start, rows+1), vec.Resize(l.touched, rows)
	l.counts = vec.Resize(l.counts, parts*rows)
	eachPart := func(do func(count []int32, terms []term)) {
		parallel.Do(parts, parts, func(_, _, from, to int) {
			for p := from; p < to; p++ {
				do(l.counts[p*rows:(p+1)*rows], terms[p*len(terms)/parts:(p+1)*len(terms)/parts])
			}
		})
	}
	// Twice the number of the row's terms in the part that add something, and 1 where there is any.
	eachPart(func(count []int32, terms []term) {
		clear(count)
		for i := range terms {
			if t := &terms[i]; t.row >= 0 {
				if t.adds() {
					count[t.row] += 2
				}
				count[t.row] |= 1
			}
		}
	})
	// From here on where the part's next term of the row goes.
	total := int32(0)
	for r := range rows {
		l.start[r], l.touched[r] = total, false
		for p := range parts {
			c := &l.counts[p*rows+r]
			n := *c >> 1
			l.touched[r] = l.touched[r] || *c != 0
			*c = total
			total += n
		}
	}
	l.start[rows] = total
	l.src, l.coef, l.self = vec.Resize(l.src, int(total)), resize(l.coef, int(total)), resize(l.self, int(total))
	eachPart(func(next []int32, terms []term) {
		for i := range terms {
			if t := &terms[i]; t.row >= 0 && t.adds() {
				at := next[t.row]
				l.src[at], l.coef[at], l.self[at] = t.src, t.coef, t.self
				next[t.row]++
			}
		}
	})
}

// adds reports whether the term adds anything.
func (t *term) adds() bool { return t.coef != 0 || t.self != 0 }
