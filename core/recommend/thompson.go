package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/yield"
)

// Draw is Nearest after drawing each Gaussian once (Thompson sampling): the visitor's mean from N(μ_u,
// a²·diag(spread²)) and each item's from N(μ_j, a²·diag(spread_j²)), with the amount a in [0,1]. The spreads are the
// uncertainty of the means. The standard deviations, the second half of the rows, are not drawn. Score is W2² between
// the draws, minus the bonus.
//
// The draws are keyed by (seed, item): the same seed gives the same answer, whatever else is kept or requested. An
// amount of 0 gives Nearest. A bonus (I, nil: none) is subtracted as in NearestOf. query is 2h, spread h, and spreads
// returns spread_j (h), which is read only. O(I·h + I log k).
func (x *Index) Draw(
	dst []Hit, query, spread []float32, spreads func(item int) []float32, bonus []float32,
	k int, keep ItemSet, amount float64, seed uint64,
) []Hit {
	x.check(len(query))
	x.checkBonus(bonus)
	if !(amount > 0) {
		w := x.pool.Get().(*scratch)
		defer x.pool.Put(w)
		w.distances = grow(w.distances, x.items.Len())
		x.Distances(w.distances, query)
		return x.shortlist(dst, w, query, w.distances, bonus, k, keep)
	}
	h := x.items.Dim()
	if len(spread) != h {
		panic(LengthError{len(spread), h})
	}
	amount = min(amount, 1)
	w := x.pool.Get().(*scratch)
	defer x.pool.Put(w)
	table := normals()
	w.drawn, w.row = grow(w.drawn, h), grow(w.row, 2*h)
	DrawMean(w.drawn, query[:h], spread, amount, seed)
	row := w.row
	a := float32(amount)
	for d := range h {
		row[d], row[h+d] = float64(w.drawn[d]), float64(query[h+d])
	}
	k = min(k, x.items.Len())
	if k <= 0 {
		return dst
	}
	w.second.Resize(k)
	worst := math.Inf(1)
	for i := range x.items.Len() {
		if i%yieldRows == yieldRows-1 {
			yield.Now()
		}
		if !keep.Has(i) {
			continue
		}
		item := x.items.Row(i)
		mean, stddev, sp := item[:h], item[h:][:h], spreads(i)[:h]
		r, rs := row[:h], row[h:][:h]
		s := newStream(seed, uint64(i))
		var sum float64
		for d := 0; d < h; {
			word := s.next()
			for end := min(d+perWord, h); d < end; d++ {
				e := float64(stddev[d]) - rs[d]
				z := float32(float32(a*sp[d]) * table[word&(quantiles-1)])
				f := r[d] - float64(mean[d]+z)
				sum += float64(e*e) + float64(f*f)
				word >>= quantileBits
			}
			// The sum only grows, so stop drawing an item that is already out.
			if cost(sum, bonus, i) > worst {
				break
			}
		}
		if cost(sum, bonus, i) > worst {
			continue
		}
		w.second.offer(Hit{i, cost(sum, bonus, i)})
		if last, full := w.second.worst(); full {
			worst = last
		}
	}
	return w.second.appendTo(dst)
}

// Thompson returns the first k items outside of the visit, ranked by Index.Draw with the item-item bonus. It is for
// studies: it finds no more than ranking by cost (core/lab/docs/uncertainty.md). O(I·h).
func (r *Recommender) Thompson(v Visit, t *Taste, k int, amount float64, seed uint64) []Hit {
	v = r.clean(v)
	w := r.pool.Get().(*work)
	defer r.pool.Put(w)
	r.fill(w.keep, Filter{})
	dropMentioned(w.keep, v)
	r.price(w, t.Row, v)
	return r.index.Draw(nil, t.Row, t.Spread, r.spreads.of, w.bonus, k, w.keep, amount, seed)
}

// DrawMean draws the visitor's mean as Draw does, into dst (h).
func DrawMean(dst, mean, spread []float32, amount float64, seed uint64) {
	table, a := normals(), float32(min(amount, 1))
	s := newStream(seed, visitorStream)
	for d, m := range mean {
		z := float32(float32(a*spread[d]) * s.normal(table))
		dst[d] = m + z
	}
}
