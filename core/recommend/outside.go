package recommend

import (
	"math"
)

// outside ranks for OutsideBubble. Kept are the items after the visitor's nearest tenth by cost (the bubble) and within
// the nearest half (the other half they would not like). Of those, the lowest come first of
//
//	D/σ(D) − sd/σ(sd) − c/σ(c)
//	D = √(W2² + Σ_d v_d)    sd = √Var D² / 2D    c = W2(average visitor, j)    v and Var of distanceMoments
//
// the distance, less its uncertainty, less how far the title lies from the average visitor, each in units of its
// standard deviation σ(·) over the items that are kept: in latent units the uncertainty of a distance varies twenty
// times less than the distance, and would count for nothing. So an item rises by being near, by being uncertain, and by
// being far from the average visitor. O(I·h).
func (r *Recommender) outside(w *work, t *Taste, k int, q Request) []Hit {
	h := r.items.Dim()
	copy(w.sorted, w.costs)
	tenth := kthSmallest(w.sorted, place(r.Len(), 10))
	half := kthSmallest(w.sorted, place(r.Len(), 2))
	left := 0
	for i, c := range w.costs {
		if c <= tenth || c > half {
			w.keep.Remove(i)
		} else if w.keep.Has(i) {
			left++
		}
	}
	copy(w.row, t.Row)
	if q.Exploration > 0 {
		DrawMean(w.row[:h], t.Row[:h], t.Spread, q.Exploration, q.Seed)
	}
	own := sumOfSquares(t.Spread)
	far, uncertain, fromAverage := make([]float64, 0, left), make([]float64, 0, left), make([]float64, 0, left)
	for i := range w.distances {
		yieldAfter(i)
		if !w.keep.Has(i) {
			continue
		}
		row := r.items.Row(i)
		_, variance := distanceMoments(w.row[:h], t.Spread, row[:h], r.spreads.of(i))
		d := math.Sqrt(W2Squared(w.row, row) + own + sumOfSquares(r.spreads.of(i))) // the spreads are positive, so d is
		far = append(far, d)
		uncertain = append(uncertain, math.Sqrt(variance)/(2*d))
		fromAverage = append(fromAverage, math.Sqrt(W2Squared(r.average, row)))
	}
	a, b, c := deviation(far), deviation(uncertain), deviation(fromAverage)
	w.top.Reset(min(k, r.Len()))
	at := 0
	for i := range w.distances {
		if w.keep.Has(i) {
			w.top.Offer(Hit{Item: i, Score: far[at]/a - uncertain[at]/b - fromAverage[at]/c})
			at++
		}
	}
	return append(w.hits, w.top.Sorted()...)
}

// deviation returns the standard deviation of x, or 1 where all of x are the same.
func deviation(x []float64) float64 {
	mean, square := 0.0, 0.0
	for _, v := range x {
		mean += v
	}
	mean /= float64(max(len(x), 1))
	for _, v := range x {
		square += float64((v - mean) * (v - mean))
	}
	if !(square > 0) {
		return 1
	}
	return math.Sqrt(square / float64(len(x)))
}

// place returns the index of the last of the nearest 1/part of n sorted items, at least the first.
func place(n, part int) int { return max((n+part/2)/part, 1) - 1 }
