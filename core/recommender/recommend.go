package recommender

import (
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/projection"
	"github.com/pmlam/pmlam/core/rank"
)

// reasonsShown is how many reasons a suggestion carries at most.
const reasonsShown = 3

// Recommend returns at most r.K items that the visitor has not mentioned, best first:
//
//   - ForYou: nearest to the taste by W2 first.
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
	for _, said := range [][]int{v.Likes, v.Dislikes, v.Seen} {
		for _, i := range said {
			w.keep.Remove(i)
		}
	}
	r.index.Distances(w.distances, t.Row)
	nearest, tenth := r.tenth(w, t)
	k := min(q.K, r.Len())
	pool := k
	if q.Diversity > 0 {
		pool = rank.PoolSize(k)
	}
	w.hits = w.hits[:0]
	switch {
	case q.Mode == OutsideBubble:
		w.hits = r.outside(w, t, pool, q, nearest)
	default:
		if q.Mode == HiddenGems {
			w.keep.And(r.gems)
		}
		if q.Exploration > 0 {
			w.hits = r.index.Draw(w.hits, t.Row, t.Spread, pool, w.keep, q.Exploration, q.Seed)
		} else {
			w.hits = r.index.NearestOf(w.hits, t.Row, w.distances, pool, w.keep)
		}
		for i := range w.hits {
			w.hits[i].Score = math.Sqrt(w.hits[i].Score)
		}
	}
	w.chosen = rank.Diversify(w.chosen[:0], r.items, w.hits, k, q.Diversity)
	return r.describe(w, t, sorted(v.Likes), w.chosen, tenth)
}

// tenth returns two thresholds of the catalogue's nearest tenth around the visitor: in the scanned W2², and in the
// expected D² of drawn means (rank.Moments). For the latter one scan from [μ_u; 0] gives ‖μ_u−μ_j‖² + Σ s_j², which is
// E D² but for the visitor's own Σ spread².
func (r *Recommender) tenth(w *work, t *Taste) (nearest float32, expected float64) {
	n, h := r.Len(), r.items.Dim()
	k := max((n+5)/10, 1) - 1
	copy(w.sorted, w.distances)
	nearest = rank.Kth(w.sorted, k)
	clear(w.query)
	copy(w.query[:h], t.Row)
	r.index.Distances(w.expected, w.query)
	copy(w.sorted, w.expected)
	expected = float64(rank.Kth(w.sorted, k))
	for _, s := range t.Spread {
		expected += float64(float64(s) * float64(s))
	}
	return nearest, expected
}

// outside ranks for OutsideBubble. Kept are the items beyond the visitor's nearest tenth (inside is the bubble) and
// within the nearest half (beyond is what they would not like). Of those, the lowest come first of
//
//	√E D² − sd(D) − ‖μ_j − crowd‖
//
// D the distance between drawn means: how far, less how uncertain that is, less how far the title lies from the average
// visitor. So an item rises by being near, by being uncertain, and by being far from the crowd.
func (r *Recommender) outside(w *work, t *Taste, k int, q Request, nearest float32) []rank.Hit {
	h := r.items.Dim()
	copy(w.sorted, w.distances)
	half := rank.Kth(w.sorted, (r.Len()-1)/2)
	for i, d := range w.distances {
		if d <= nearest || d > half {
			w.keep.Remove(i)
		}
	}
	mean := w.query[:h]
	copy(mean, t.Row)
	if q.Exploration > 0 {
		rank.DrawRow(mean, t.Row[:h], t.Spread, q.Exploration, q.Seed)
	}
	var top rank.Top
	top.Reset(min(k, r.Len()))
	for i := range w.distances {
		if !w.keep.Has(i) {
			continue
		}
		expected, variance := rank.Moments(mean, t.Spread, r.items.Row(i))
		if expected <= 0 {
			continue
		}
		d := math.Sqrt(expected)
		// To first order sd(√X) = sd(X)/(2√E X).
		sd := math.Sqrt(variance) / (2 * d)
		away := math.Sqrt(rank.W2Squared(r.crowd, r.items.Mean(i)))
		top.Offer(rank.Hit{Item: i, Score: d - sd - away})
	}
	return append(w.hits, top.Sorted()...)
}

// describe turns hits into suggestions.
func (r *Recommender) describe(w *work, t *Taste, likes []int, hits []rank.Hit, tenth float64) []Suggestion {
	h := r.items.Dim()
	out := make([]Suggestion, len(hits))
	own := r.plane.Covariance(t.Spread)
	w.limits = w.limits[:0]
	for _, x := range hits {
		w.limits = append(w.limits, w.distances[x.Item])
	}
	slices.Sort(w.limits)
	if cap(w.farther) < len(hits) {
		w.farther = make([]int, len(hits))
	}
	w.farther = w.farther[:len(hits)]
	rank.Farther(w.farther, w.distances, w.limits)
	reasons := make([]rank.Reason, 0, reasonsShown)
	for i, x := range hits {
		row := r.items.Row(x.Item)
		expected, variance := rank.Moments(t.Row[:h], t.Spread, row)
		at, _ := slices.BinarySearch(w.limits, w.distances[x.Item])
		s := Suggestion{
			Item:     x.Item,
			Distance: r.Distance(t, x.Item),
			Match:    float64(w.farther[at]) / float64(max(r.Len()-1, 1)),
			Chance:   rank.Chance(expected, variance, tenth),
			Spread:   radius(own, r.spreads[x.Item]),
		}
		s.Certainty = certainty(s.Chance)
		reasons = rank.Reasons(reasons[:0], r.items, likes, x.Item, r.tau, reasonsShown)
		for _, y := range reasons {
			s.Reasons = append(s.Reasons, Reason{y.Item, y.Share})
		}
		out[i] = s
	}
	return out
}

// certainty turns a chance into its step.
func certainty(chance float64) Certainty {
	switch {
	case chance >= verySure:
		return VerySure
	case chance >= fairlySure:
		return FairlySure
	case chance >= hunch:
		return Hunch
	}
	return Gamble
}

// The least chances of the steps of certainty.
const (
	verySure   = 0.9
	fairlySure = 0.7
	hunch      = 0.5
)

// radius returns the radius of the circle as large as the 50% ellipse of the difference between the visitor's mean and
// an item on the plane.
func radius(a, b projection.Covariance) float64 {
	l1, l2, _ := projection.Covariance{XX: a.XX + b.XX, XY: a.XY + b.XY, YY: a.YY + b.YY}.Eigen()
	return projection.Radius(0.5) * math.Sqrt(math.Sqrt(l1*l2))
}

// Similar returns the k items nearest to item by W2, without the item itself. Match, Chance and Certainty are those of
// a visitor whose taste is the item's Gaussian and known exactly. There are no reasons.
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
	_, tenth := r.tenth(w, t)
	w.hits = r.index.NearestOf(w.hits[:0], t.Row, w.distances, k, w.keep)
	return r.describe(w, t, nil, w.hits, tenth)
}
