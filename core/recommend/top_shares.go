package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/yield"
)

// CostNoise is the effect on costs of drawing the items' means: in each draw item i costs Shift[i] + Stddev[i]·z more,
// with an independent standard normal z. nil slices: none.
//
// With an item's mean drawn from N(μ_i, diag(v)), W2² to a fixed point gains Σv in expectation and has the variance
// 2Σv² + 4Σδ²v (distanceMoments), so one scalar a draw replaces h.
type CostNoise struct{ Shift, Stddev []float32 }

// TopShares writes into dst the share of draws in which each of items costs no more than the n-th cheapest of keep
// (nil: all), which must contain the items. draw(k, sign, row, bonus) draws the visitor: it fills the row (2h) and the
// bonus (I, zero on entry), and returns false if it left the bonus unchanged. Draws come in pairs with the same k and
// the signs +1 and −1 of all noise (antithetic: that cancels its odd part), k from 0 to pairs−1, and the items' noise
// is keyed by k. O(pairs·I·h).
//
// The shares are multiples of 1/(2·pairs), and the same on every engine whose scan gives the same bits.
func (x *Index) TopShares(
	dst []float64, items []int, n int, keep ItemSet, pairs int, noise CostNoise,
	draw func(k int, sign float32, row, bonus []float32) bool,
) {
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
		if noise.Stddev != nil {
			fillNormals(w.noise, uint64(k), itemsStream)
			for i, s := range noise.Stddev {
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
			if noise.Stddev != nil {
				for i, z := range w.noise {
					costs[i] += float32(sign*z) + noise.Shift[i]
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

// threshold returns the n-th smallest cost in keep, or +Inf if keep holds fewer. O(I + n log n).
func (w *scratch) threshold(costs []float32, n int, keep ItemSet) float32 {
	w.first.Resize(n)
	worst := float32(math.Inf(1))
	for i, c := range costs {
		if !(c < worst) || !keep.Has(i) {
			continue
		}
		w.first.offer(Hit{i, float64(c)})
		if last, full := w.first.worst(); full {
			worst = float32(last)
		}
	}
	return worst
}

// distanceStddev returns the standard deviation of W2² from a fixed point at W2² = distance from an item, when the
// item's mean is drawn with a total variance spread evenly over h dimensions:
//
//	Var = 2V²/h + 4·distance·V/h
//
// This is distanceMoments for an even spread, with the whole distance in the means. O(1).
func distanceStddev(distance, variance float32, h int) float32 {
	v, d := float64(variance), float64(max(distance, 0))
	return float32(math.Sqrt(float64(2*v) * (v + float64(2*d)) / float64(h)))
}
