package pmlam

import (
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// term is one contribution to the gradient of one row:
//
//	grad[row] += coef·dense[src] + self·x[row]
//
// The loss mostly depends on rows through squared distances: c·‖x_r−a‖² contributes 2c·x_r − 2c·a, which is self = 2c,
// coef = −2c, src = a. Other gradients are in dense in full, with coef = 1. A term with coef = self = 0 adds nothing,
// but marks its row as touched by the step. In all other terms src must be a row of dense, even if coef is 0. A term
// with row < 0 is ignored.
type term struct {
	row, src   int32
	coef, self float32
}

// noTerm fills an unused slot; it is ignored.
var noTerm = term{row: -1}

// termSums sums terms by row. It reuses its memory from step to step; the zero value is ready to use.
type termSums struct {
	start   []int32   // rows+1: start of each row's non-zero terms in src, coef and self
	src     []int32   // of these terms, by row, in the order of terms
	coef    []float32 // likewise
	self    []float32 // likewise
	touched []bool    // rows with any term
	counts  []int32   // parts×rows: number of terms in each part
	buffers [][]float32
}

// each calls use(r, Σ) with the sum of the terms of every row that has any. One worker sums a row in the order of
// terms, so the result does not depend on workers, and use may write data of row r without a lock. The sum is stored at
// into(r), or in temporary memory if that is nil. x is rows×width; dense has any number of rows of that width.
// O(len(terms)·width).
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

// prefetched is the number of rows that termSums prefetches ahead.
const prefetched = 3

// sort lists the terms by row in a stable order, by counting. It cuts the terms into one part per worker, or fewer if
// rows have few terms, so that adding up the counts costs no more than the counting. O(rows·parts + len(terms)).
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
	// Twice the number of the row's non-zero terms in the part, plus 1 if it has any term.
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
	// From here on, the position of the part's next term of the row.
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

func (t *term) adds() bool { return t.coef != 0 || t.self != 0 }
