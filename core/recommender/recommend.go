package recommender

import (
	"math"

	"github.com/pmlam/pmlam/core/projection"
	"github.com/pmlam/pmlam/core/rank"
)

// reasonsShown is how many reasons a suggestion carries at most.
const reasonsShown = 3

// Recommend returns at most r.K items that the visitor has not mentioned, best first:
//
//   - ForYou: nearest to the taste first, by W2² less what the likes speak for directly,
//     where the model has an item-item part (links.go).
//   - HiddenGems: the same among the little known half of the catalogue (a count of at most the median).
//   - OutsideBubble: titles that the visitor may well like, though neither we nor the crowd would hand them over: see
//     outside.
//
// Diversity chooses by maximal marginal relevance among the nearest (rank.Diversify), Exploration ranks by Thompson
// draws from both Gaussians (rank.Draw); both work in every mode, Exploration in OutsideBubble by drawing the visitor's
// distances alone. A longer list begins with the shorter one. Filters that leave nothing give an empty list.
//
// O(I·h), and h more per item where Exploration is asked for.
func (r *Recommender) Recommend(v Visit, t *Taste, q Request) []Suggestion {
	if q.K <= 0 || r.Len() == 0 {
		return nil
	}
	v = r.clean(v)
	w := r.pool.Get().(*work)
	defer r.pool.Put(w)
	r.fill(w.keep, q.Filter)
	r.unsaid(w.keep, v)
	r.index.Distances(w.distances, t.Row)
	r.weigh(w, sorted(v.Likes), sorted(v.Dislikes))
	k := min(q.K, r.Len())
	pool := k
	if q.Diversity > 0 {
		pool = rank.PoolSize(k)
	}
	w.hits = w.hits[:0]
	switch {
	case q.Mode == OutsideBubble:
		w.hits = r.outside(w, t, pool, q)
	default:
		if q.Mode == HiddenGems {
			w.keep.And(r.gems)
		}
		if q.Exploration > 0 {
			w.hits = r.index.Draw(w.hits, t.Row, t.Spread, r.spreads, w.bonus, pool, w.keep, q.Exploration, q.Seed)
		} else {
			w.hits = r.index.NearestOf(w.hits, t.Row, w.distances, w.bonus, pool, w.keep)
		}
		w.apart()
	}
	w.chosen = rank.Diversify(w.chosen[:0], r.items, w.hits, k, q.Diversity)
	if q.Bare {
		out := make([]Suggestion, len(w.chosen))
		for i, x := range w.chosen {
			out[i].Item = x.Item
		}
		return out
	}
	return r.describe(w, v, t, q, w.chosen)
}

// place returns the index of the last of the nearest 1/part of n sorted items, at least the first.
func place(n, part int) int { return max((n+part/2)/part, 1) - 1 }

func trace(spread []float32) (sum float64) {
	for _, s := range spread {
		sum += float64(float64(s) * float64(s))
	}
	return sum
}

// outside ranks for OutsideBubble. Kept are the items beyond the visitor's first tenth by cost (inside is the bubble) and
// within the first half (beyond is what they would not like). Of those, the lowest come first of
//
//	D − sd(D) − W2(crowd, j)        D = √(W2² + Σ_d v_d), sd(D) = √Var D² / 2D, v and Var of rank.Moments
//
// how far, less how uncertain that is, less how far the title lies from the average visitor. So an item rises by being
// near, by being uncertain, and by being far from the crowd. O(I·h).
func (r *Recommender) outside(w *work, t *Taste, k int, q Request) []rank.Hit {
	h := r.items.Dim()
	copy(w.sorted, w.costs)
	tenth := rank.Kth(w.sorted, place(r.Len(), 10))
	half := rank.Kth(w.sorted, place(r.Len(), 2))
	for i, c := range w.costs {
		if c <= tenth || c > half {
			w.keep.Remove(i)
		}
	}
	copy(w.row, t.Row)
	if q.Exploration > 0 {
		rank.DrawRow(w.row[:h], t.Row[:h], t.Spread, q.Exploration, q.Seed)
	}
	own := trace(t.Spread)
	w.top.Reset(min(k, r.Len()))
	for i := range w.distances {
		if !w.keep.Has(i) {
			continue
		}
		row := r.items.Row(i)
		_, variance := rank.Moments(w.row[:h], t.Spread, row[:h], r.spread(i))
		d := math.Sqrt(rank.W2Squared(w.row, row) + own + trace(r.spread(i))) // the spreads are positive, so d is
		sd := math.Sqrt(variance) / (2 * d)
		w.top.Offer(rank.Hit{Item: i, Score: d - sd - math.Sqrt(rank.W2Squared(r.crowd, row))})
	}
	return append(w.hits, w.top.Sorted()...)
}

// describe turns hits into suggestions.
func (r *Recommender) describe(w *work, v Visit, t *Taste, q Request, hits []rank.Hit) []Suggestion {
	out := make([]Suggestion, len(hits))
	own, _ := r.covariance(t)
	likes := sorted(v.Likes)
	items := make([]int, len(hits))
	for i, x := range hits {
		items[i] = x.Item
	}
	beyond := w.beyond(items)
	chances := r.chances(w, v, t, q, items, beyond)
	reasons := make([]rank.Reason, 0, reasonsShown)
	for i, x := range hits {
		s := Suggestion{
			Item:     x.Item,
			Distance: r.Distance(t, x.Item),
			Match:    float64(beyond[i]) / float64(max(r.Len()-1, 1)),
			Chance:   chances[i],
			Spread:   radius(own, r.plane.Covariance(r.spread(x.Item))),
		}
		s.Certainty = r.of().Certainty(s.Chance)
		reasons = rank.Reasons(reasons[:0], r.items, likes, r.shares(w, likes, x.Item), x.Item, r.tau, reasonsShown)
		for _, y := range reasons {
			s.Reasons = append(s.Reasons, Reason{y.Item, y.Share})
		}
		out[i] = s
	}
	return out
}

// radius returns the radius of the circle as large as the 50% ellipse of the difference between the visitor's mean and
// an item on the plane.
func radius(a, b projection.Covariance) float64 {
	l1, l2, _ := projection.Covariance{XX: a.XX + b.XX, XY: a.XY + b.XY, YY: a.YY + b.YY}.Eigen()
	return projection.Radius(0.5) * math.Sqrt(math.Sqrt(l1*l2))
}

// Similar returns the k items nearest to item by W2, without the item itself. Match is that of a visitor whose taste is the
// item's Gaussian and known exactly, and so is a Chance to stay among the nearest; a chance of liking is that of somebody
// who has said no more than that they like the item. There are no reasons.
func (r *Recommender) Similar(item, k int) []Suggestion {
	if k <= 0 {
		return nil
	}
	w := r.pool.Get().(*work)
	defer r.pool.Put(w)
	r.fill(w.keep, Filter{})
	w.keep.Remove(item)
	t := &Taste{Row: r.items.Row(item), Spread: make([]float32, r.items.Dim())}
	r.index.Distances(w.distances, t.Row)
	r.weigh(w, nil, nil)
	w.hits = r.index.NearestOf(w.hits[:0], t.Row, w.distances, w.bonus, k, w.keep)
	v := Visit{Seen: []int{item}}
	if r.like != nil {
		v = Visit{Likes: []int{item}}
	}
	out := r.describe(w, v, t, Request{}, w.hits)
	for i := range out {
		out[i].Reasons = nil
	}
	return out
}
