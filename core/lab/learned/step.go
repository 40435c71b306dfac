package learned

import (
	"slices"
	"sync/atomic"

	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/training"
)

// parts is the number of parts of a batch, for any number of workers.
const parts = parallel.Chunks

// touched are the rows of one parameter that a step moves, each with its contributions in order and their sum.
type touched struct {
	rows   []int32     // ascending
	start  []int32     // len(rows)+1: of each row's contributions
	next   []int32     // len(rows)+1: next free place of each row while listing
	scales []float32   // of the contributions
	grads  [][]float32 //
	sums   []float32   // len(rows)×Cols
}

// gather lists the contributions of all parts to p by row, by counting. Rows ascend, so memory is read in order if many
// are touched. O(contributions + rows·log rows), without the logarithm for many rows.
func (t *touched) gather(p *Param, all []*Gradient) {
	t.rows, t.start = t.rows[:0], append(t.start[:0], 0)
	total := 0
	for _, g := range all {
		l := &g.lists[p.index]
		total += len(l.rows)
		for _, r := range l.rows {
			if p.local[r] == 0 {
				t.rows = append(t.rows, r)
			}
			p.local[r]++
		}
	}
	if len(t.rows) > p.Rows/16 {
		t.rows = t.rows[:0]
		for r, n := range p.local {
			if n > 0 {
				t.rows = append(t.rows, int32(r))
			}
		}
	} else {
		slices.Sort(t.rows)
	}
	for k, r := range t.rows {
		t.start = append(t.start, t.start[k]+p.local[r])
		p.local[r] = int32(k)
	}
	t.grads = vec.Resize(t.grads, total)
	t.scales = vec.Resize(t.scales, total)
	t.next = append(t.next[:0], t.start...)
	for _, g := range all {
		l := &g.lists[p.index]
		for k, r := range l.rows {
			next := &t.next[p.local[r]]
			t.grads[*next], t.scales[*next] = l.grads[k], l.scales[k]
			*next++
		}
	}
	for _, r := range t.rows {
		p.local[r] = 0
	}
}

// sum sums every row's contributions, Cols values each, in order. It reports whether every sum is finite.
func (t *touched) sum(workers, cols int) bool {
	t.sums = vec.Resize(t.sums, len(t.rows)*cols)
	var bad atomic.Bool
	parallel.Do(workers, len(t.rows), func(_, _, from, to int) {
		for k := from; k < to; k++ {
			sum := vec.Row(t.sums, k, cols)
			clear(sum)
			for at := t.start[k]; at < t.start[k+1]; at++ {
				vec.Axpy(t.scales[at], t.grads[at], sum)
			}
			if n := vec.Dot(sum, sum); n-n != 0 { // also if the square overflows: Adam's would
				bad.Store(true)
			}
		}
	})
	return !bad.Load()
}

// move moves every row by its sum in the step of b, by Adam or as rows turn, and bounds it. Sums of turning rows are
// overwritten.
func (t *touched) move(workers int, p *Param, b *training.Batch, bound func(*Param, []float32)) {
	size, eps := vec.AdamStep(b.Rate, b.Number)
	if p.lengths != nil {
		size, eps = vec.RMSPropStep(b.Rate, b.Number)
	}
	parallel.Do(workers, len(t.rows), func(_, _, from, to int) {
		for k := from; k < to; k++ {
			r, sum := int(t.rows[k]), vec.Row(t.sums, k, p.Cols)
			row := vec.Row(p.Data, r, p.Cols)
			if p.lengths == nil {
				vec.Adam(row, sum, vec.Row(p.m, r, p.Cols), vec.Row(p.v, r, p.Cols), size, eps)
			} else {
				p.turn(r, sum, b.Number, size, eps)
			}
			bound(p, row)
		}
	})
}
