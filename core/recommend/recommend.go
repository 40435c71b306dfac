package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/model"
)

// insteadDiversity is the least Diversity where titles are replaced: half of a choice is how near a title is, half how
// far it lies from the replaced ones.
const insteadDiversity = 0.5

// reasonsShown is how many reasons a suggestion carries at most.
const reasonsShown = 3

// Recommend returns at most q.K items that the visitor has not mentioned, best first:
//
//   - ForYou: lowest cost first, W2² less the item-item bonus where the model has one (bonus.go).
//   - HiddenGems: the same among the little known half of the catalogue (a count of at most the median).
//   - OutsideBubble: titles that the visitor may like though neither model nor popularity lists them: see outside.
//
// Diversity chooses by maximal marginal relevance among the nearest (diversify), Exploration ranks by Thompson draws
// from both Gaussians (Index.Draw); both work in every mode, Exploration in OutsideBubble by drawing the visitor's mean
// alone. Instead takes titles out and chooses others far from them, with a Diversity of at least a half. A longer list
// begins with the shorter one, and Skip leaves out its first. A filter that leaves nothing gives an empty list. In any
// other Order than BestFirst come all titles that pass the filter, see ordered.
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
	dropMentioned(w.keep, v)
	r.price(w, t.Row, v)
	skip := min(max(q.Skip, 0), r.Len())
	k := min(q.K, r.Len()-skip) + skip
	diversity, instead := q.Diversity, r.clean(Visit{Likes: q.Instead}).Likes
	if len(instead) > 0 && q.Order == BestFirst {
		diversity = max(diversity, insteadDiversity)
		for _, i := range instead {
			w.keep.Remove(i)
		}
	}
	pool := k
	if diversity > 0 {
		pool = poolSize(k)
	}
	w.hits = w.hits[:0]
	switch {
	case q.Order != BestFirst:
		w.hits, diversity, instead = r.ordered(w, q.Order, k), 0, nil
	case q.Mode == OutsideBubble:
		w.hits = r.outside(w, t, pool, q)
	default:
		if q.Mode == HiddenGems {
			w.keep.And(r.littleKnown)
		}
		if q.Exploration > 0 {
			w.hits = r.index.Draw(w.hits, t.Row, t.Spread, r.spreads.of, w.bonus, pool, w.keep, q.Exploration, q.Seed)
		} else {
			w.hits = r.index.NearestOf(w.hits, t.Row, w.distances, w.bonus, pool, w.keep)
		}
		w.costsToDistances()
	}
	w.chosen = diversify(w.chosen[:0], r.items, w.hits, k, diversity, instead)
	chosen := w.chosen[min(skip, len(w.chosen)):]
	if q.Bare {
		out := make([]Suggestion, len(chosen))
		for i, x := range chosen {
			out[i].Item = x.Item
		}
		return out
	}
	return r.describe(w, v, t, q, chosen)
}

// describe turns hits into suggestions.
func (r *Recommender) describe(w *work, v Visit, t *Taste, q Request, hits []Hit) []Suggestion {
	out := make([]Suggestion, len(hits))
	own, _ := r.covariance(t)
	likes := sorted(v.Likes)
	items := make([]int, len(hits))
	for i, x := range hits {
		items[i] = x.Item
	}
	beyond := w.beyond(items)
	chances := r.chances(w, v, t, q, items, beyond)
	for i, x := range hits {
		s := Suggestion{
			Item:     x.Item,
			Distance: r.Distance(t, x.Item),
			Match:    float64(beyond[i]) / float64(max(r.Len()-1, 1)),
			Spread:   radius(own, r.plane.Covariance(r.spreads.of(x.Item))),
		}
		if s.Certainty = Unsaid; chances != nil {
			s.Chance, s.Certainty = chances[i], r.of().Certainty(chances[i])
		}
		s.Reasons = Reasons(nil, r.items, likes, r.linkBonuses(w, likes, x.Item), x.Item, r.tau, reasonsShown)
		out[i] = s
	}
	return out
}

// radius returns the radius of the circle as large as the 50% ellipse of the difference between the visitor's mean and
// an item on the plane.
func radius(a, b model.Covariance) float64 {
	l1, l2, _ := model.Covariance{XX: a.XX + b.XX, XY: a.XY + b.XY, YY: a.YY + b.YY}.Eigen()
	return model.EllipseRadius(0.5) * math.Sqrt(math.Sqrt(l1*l2))
}

// Similar returns the k items nearest to item by W2, without the item itself. Match is that of a visitor whose taste is
// the item's Gaussian. A chance of liking is that of a visitor whose only like is the item; a chance to stay is not
// stated. There are no reasons.
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
	r.addBonus(w, Visit{})
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
