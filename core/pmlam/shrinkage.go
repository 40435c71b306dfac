package pmlam

import (
	"context"
	"fmt"
	"math/bits"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/cosine"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// The row of an item with few likes is mostly noise. With Config.Shrinkage κ > 0, the row θ_i of an item with n_i likes
// is a weighted mean of its own learned row φ_i, with weight n_i, and its neighbours' learned rows, with weight κ in
// total. The neighbours are the ShrinkageItems items of the highest cosine:
//
//	θ = Sφ    θ_i = (n_i·φ_i + κ·Σ_j p_ij·φ_j)/(n_i + κ)    p_ij = cos(i,j)/Σ_k cos(i,k)    Σ_j S_ij = 1
//
// All losses are functions of θ, so ∂L/∂φ = Sᵀ·∂L/∂θ: an item's neighbours learn from its likes, too. This is the
// posterior mean of a row whose prior is its neighbourhood, with the weight of κ likes. On the graph of items it is a
// low-pass filter, which is stronger for items with few likes. Users and visitors are composed of θ, and a model file
// holds θ, so its readers do not need S.
//
// A step touches the rows φ behind its rows θ, K+1 rows for each: O(T·K·h) for T rows.
type shrinkage struct {
	toItem, toSource lists     // S by rows and by columns
	moved            []int32   // rows of φ that the step moves, ascending
	before           []float32 // moved×2h: those rows before the step, for undo
	marks            []uint64  // N bits, all 0 between steps
}

// lists is a sparse N×N matrix by rows: row e is [start[e], start[e+1]) of at and weight.
type lists struct {
	start, at []int32
	weight    []float32
}

func (l *lists) row(e int) (at []int32, weight []float32) {
	from, to := l.start[e], l.start[e+1]
	return l.at[from:to], l.weight[from:to]
}

// newShrinkage returns S for the entities of a training. The first users entities have their own rows; the others are
// the items of train (U×I). O(Σ_u |S_u|²). The only possible error is ctx's.
func newShrinkage(ctx context.Context, train *dataset.Matrix, users int, kappa float64, most, workers int) (*shrinkage,
	error) {
	items, near := cosine.NewItems(train), make([][]eval.Scored, train.Cols)
	if err := parallel.Each(ctx, train.Cols, workers, func() func(i int) {
		search, heap := items.Search(), eval.NewHeap(min(most, train.Cols))
		return func(i int) {
			heap.Reset()
			search(i, heap)
			near[i] = append([]eval.Scored(nil), heap.Sorted()...)
		}
	}); err != nil {
		return nil, fmt.Errorf("finding the items' neighbours: %w", context.Cause(ctx))
	}
	s := &shrinkage{marks: make([]uint64, (users+train.Cols+63)/64)}
	s.toItem.start = append(s.toItem.start, 0)
	for e := range users + train.Cols {
		s.toItem.add(int32(e), users, kappa, items, near)
	}
	s.toSource = s.toItem.transpose()
	return s, nil
}

// add appends row e of S: the entity itself, and the neighbours of an item that has any.
func (l *lists) add(e int32, users int, kappa float64, items *cosine.Items, near [][]eval.Scored) {
	own, sum, i := 1.0, 0.0, int(e)-users
	if i >= 0 && len(near[i]) > 0 {
		n := float64(items.Len(i))
		own = n / (n + kappa)
		for _, j := range near[i] {
			sum += float64(j.Score)
		}
	}
	l.at, l.weight = append(l.at, e), append(l.weight, float32(own))
	if own < 1 {
		for _, j := range near[i] {
			l.at = append(l.at, j.Item+int32(users))
			l.weight = append(l.weight, float32((1-own)*float64(j.Score)/sum))
		}
	}
	l.start = append(l.start, int32(len(l.at)))
}

// transpose returns the columns as rows, each ascending.
func (l *lists) transpose() lists {
	n := len(l.start) - 1
	out := lists{make([]int32, n+1), make([]int32, len(l.at)), make([]float32, len(l.at))}
	for _, e := range l.at {
		out.start[e+1]++
	}
	for e := range n {
		out.start[e+1] += out.start[e]
	}
	next := append([]int32(nil), out.start[:n]...)
	for e := range n {
		at, weight := l.row(e)
		for k, j := range at {
			out.at[next[j]], out.weight[next[j]] = int32(e), weight[k]
			next[j]++
		}
	}
	return out
}

// compose writes row e of θ = Sφ to dst. O(K·h).
func (s *shrinkage) compose(dst []float32, e int, phi *gaussian.Table) {
	at, weight := s.toItem.row(e)
	vec.SumRows(dst, weight, phi.Data(), at)
}

// gather composes the rows that the step touches and overwrites those that step.gather copied; of points only the
// means. O(T·K·h).
func (s *shrinkage) gather(workers int, step *step, phi *gaussian.Table, points bool) {
	parallel.Do(workers, len(step.entities), func(_, _, from, to int) {
		for i := from; i < to; i++ {
			row := vec.Row(step.x, i, 2*step.half)
			s.compose(row, int(step.entities[i]), phi)
			if points {
				clear(row[step.half:])
			}
		}
	})
}

// table returns θ = Sφ of the items, whose rows in φ begin at first. A mean of rows within bounds is within them, up to
// rounding. O(I·K·h).
func (s *shrinkage) table(c *Config, phi *gaussian.Table, first, workers int) *gaussian.Table {
	out := gaussian.NewTable(phi.Len()-first, phi.Dim())
	parallel.Do(workers, out.Len(), func(_, _, from, to int) {
		for i := from; i < to; i++ {
			row := out.Row(i)
			s.compose(row, first+i, phi)
			if c.Deterministic {
				clear(row[c.Dim:]) // bound raises them to the floor
			}
			c.bound(row)
		}
	})
	return out
}

// findMoved lists the rows of φ that the step moves: those behind its seen rows of θ.
func (s *shrinkage) findMoved(step *step) {
	for i, e := range step.entities {
		if step.seen[i] {
			at, _ := s.toItem.row(int(e))
			for _, j := range at {
				s.marks[j>>6] |= 1 << (j & 63)
			}
		}
	}
	s.moved = s.moved[:0]
	for w, word := range s.marks {
		for ; word != 0; word &= word - 1 {
			s.moved = append(s.moved, int32(w<<6+bits.TrailingZeros64(word)))
		}
		s.marks[w] = 0
	}
}

// gradient writes ∂L/∂φ_e = Σ_i S_ie·∂L/∂θ_i to dst, summed in order over the rows that the step has seen. at and
// weight are scratch memory, and are returned.
func (s *shrinkage) gradient(dst []float32, e int, step *step, at []int32, weight []float32) ([]int32, []float32) {
	at, weight = at[:0], weight[:0]
	to, w := s.toSource.row(e)
	for k, i := range to {
		if l := step.local[i] - 1; l >= 0 && step.seen[l] {
			at, weight = append(at, l), append(weight, w[k])
		}
	}
	vec.SumRows(dst, weight, step.grad, at)
	return at, weight
}

// updateShrunk is update for composed item rows: Adam moves φ. O(T·K·h).
func (t *Trainer) updateShrunk() {
	s, c, width := t.shrunk, &t.cfg, 2*t.cfg.Dim
	s.findMoved(&t.step)
	s.before = resize(s.before, len(s.moved)*width)
	size, eps := vec.AdamStep(t.now.Rate, t.now.Number)
	parallel.Do(t.workers, len(s.moved), func(_, _, from, to int) {
		var at []int32
		var weight []float32
		grad := make([]float32, width)
		for k := from; k < to; k++ {
			e := int(s.moved[k])
			row := t.theta.Row(e)
			copy(vec.Row(s.before, k, width), row)
			at, weight = s.gradient(grad, e, &t.step, at, weight)
			vec.Adam(row, grad, vec.Row(t.opt.m, e, width), vec.Row(t.opt.v, e, width), size, eps)
			if e >= t.items || c.UserWeight == 0 {
				c.bound(row)
			}
		}
	})
}
