package learned

import (
	"slices"
	"sync/atomic"

	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// parts is how many parts a batch is cut into, whatever the number of workers.
const parts = parallel.Chunks

// touched are the rows of one parameter that a step moves, each with the list of its contributions in order.
type touched struct {
	rows  []int32     // in order of first appearance
	start []int32     // len(rows)+1: of each row's contributions in grads
	grads [][]float32 //
}

// gather lists the contributions of all parts to p by row, by counting. O(contributions).
func (t *touched) gather(p *Param, all []*Gradient) {
	t.rows, t.start = t.rows[:0], append(t.start[:0], 0)
	total := 0
	for _, g := range all {
		l := &g.lists[p.index]
		total += len(l.rows)
		for _, r := range l.rows {
			at := p.local[r]
			if at == 0 {
				t.rows, t.start = append(t.rows, r), append(t.start, 0)
				at = int32(len(t.rows))
				p.local[r] = at
			}
			t.start[at]++
		}
	}
	for k := range t.rows {
		t.start[k+1] += t.start[k]
	}
	t.grads = slices.Grow(t.grads[:0], total)[:total]
	next := slices.Clone(t.start)
	for _, g := range all {
		l := &g.lists[p.index]
		for k, r := range l.rows {
			at := p.local[r] - 1
			t.grads[next[at]] = l.grads[k]
			next[at]++
		}
	}
	for _, r := range t.rows {
		p.local[r] = 0
	}
}

// sum makes the first contribution to every row the sum of all. It returns whether every sum is finite.
func (t *touched) sum(workers int) bool {
	var bad atomic.Bool
	parallel.Do(workers, len(t.rows), func(_, _, from, to int) {
		for k := from; k < to; k++ {
			own := t.grads[t.start[k]:t.start[k+1]]
			for _, g := range own[1:] {
				vec.Axpy(1, g, own[0])
			}
			if n := vec.Dot(own[0], own[0]); n-n != 0 { // also where the square overflows: Adam's would
				bad.Store(true)
			}
		}
	})
	return !bad.Load()
}

// move does Adam's step on every row, by the sums, and bounds it.
func (t *touched) move(workers int, p *Param, size, eps float32, bound func(*Param, []float32)) {
	parallel.Do(workers, len(t.rows), func(_, _, from, to int) {
		for k := from; k < to; k++ {
			r := int(t.rows[k])
			row := rowOf(p.Data, r, p.Cols)
			vec.Adam(row, t.grads[t.start[k]], rowOf(p.m, r, p.Cols), rowOf(p.v, r, p.Cols), size, eps)
			bound(p, row)
		}
	})
}
