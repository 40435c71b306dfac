package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/yield"
)

// Unsure is what a draw makes of the items' own means: in each, item i costs Shift[i] + Stddev[i]·z more, z a standard
// normal of its own. nil slices: nothing.
//
// With an item's mean drawn from N(μ_i, diag(v)), W2² to a fixed point gains Σv in expectation and has the variance
// 2Σv² + 4Σδ²v (Moments), so a scalar a draw stands for h.
type Unsure struct{ Shift, Stddev []float32 }

// Stay writes into dst the share of draws in which each of items costs no more than the n-th cheapest of keep (nil: all),
// where keep must hold the items. draw(k, sign, row, bonus) draws the visitor: it fills the row (2h) and the bonus (I, which
// comes in as zeros; false says that it was left at that). Draws come in pairs of the same k with the signs +1 and −1 of all
// noise (antithetic: that cancels what is odd in it), k from 0 to pairs−1, and the items' noise is keyed by k. O(pairs·I·h).
//
// The shares are multiples of 1/(2·pairs), the same on every engine whose scan gives the same bits.
func (x *Ranker) Stay(dst []float64, items []int, n int, keep ItemSet, pairs int, unsure Unsure, draw func(k int, sign float32, row, bonus []float32) bool) {
	clear(dst)
	total := x.items.Len()
	if len(items) == 0 || n <= 0 || pairs <= 0 {
		return
	}
	w := x.pool.Get().(*scratch)
	defer x.pool.Put(w)
	w.distances, w.noise, w.drawn = grow(w.distances, total), grow(w.noise, total), grow(w.drawn, 2*x.items.Dim())
	bonus := grow(w.bonus, total)
	w.bonus = bonus
	costs := w.distances
	for k := range pairs {
		yield.Now()
		if unsure.Stddev != nil {
			Normals(w.noise, uint64(k), itemsKey)
			for i, s := range unsure.Stddev {
				w.noise[i] *= s
			}
		}
		for _, sign := range [...]float32{1, -1} {
			clear(bonus)
			linked := draw(k, sign, w.drawn, bonus)
			x.Distances(costs, w.drawn)
			if linked {
				for i, b := range bonus {
					costs[i] -= b
				}
			}
			if unsure.Stddev != nil {
				for i, z := range w.noise {
					costs[i] += float32(sign*z) + unsure.Shift[i]
				}
			}
			limit := w.threshold(costs, n, keep)
			for j, i := range items {
				if costs[i] <= limit {
					dst[j]++
				}
			}
		}
	}
	for j := range dst {
		dst[j] /= float64(2 * pairs)
	}
}

// itemsKey marks the stream of the items' noise, which no item index and no visitor can equal.
const itemsKey = math.MaxUint64 - 1

// threshold returns the n-th smallest cost in keep; +Inf where keep holds fewer. O(I + n log n).
func (w *scratch) threshold(costs []float32, n int, keep ItemSet) float32 {
	w.first.Reset(n)
	worst := float32(math.Inf(1))
	for i, c := range costs {
		if !(c < worst) || !keep.Has(i) {
			continue
		}
		w.first.Offer(Hit{i, float64(c)})
		if w.first.Full() {
			worst = float32(w.first.Worst().Score)
		}
	}
	return worst
}
