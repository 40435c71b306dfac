package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/model"
)

// reasonsShown is how many reasons a suggestion carries at most.
const reasonsShown = 3

// Recommend returns at most q.K items that the visitor has not mentioned, best first:
//
//   - ForYou: lowest cost first, W2² less the item-item bonus where the model has one (bonus.go).
//   - HiddenGems: the same among what few know, see keepFew.
//   - OutsideBubble: the same among what is further from their usual, see keepOutside.
//
// The last two list no gambles (floor). Exploration fills some places by lot
// (surprise), Diversity some with what is least like the others (vary), in every mode; both at once one after the
// other. Instead takes titles out and fills all places with what is least like them. Of a series comes one title among
// the first five (capSeries). A longer list begins with the shorter one, and Skip leaves out its first. A filter that
// leaves nothing gives an empty list. In any other Order than BestFirst come all titles that pass the filter, see
// ordered.
//
// O(I·h).
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
	w.hits = w.hits[:0]
	if q.Order != BestFirst {
		w.hits = r.ordered(w, q.Order, k)
	} else {
		r.best(w, v, t, &q, k)
	}
	chosen := w.hits[min(skip, len(w.hits)):]
	if q.Bare {
		out := make([]Suggestion, len(chosen))
		for i, x := range chosen {
			out[i].Item = x.Item
		}
		return out
	}
	return r.describe(w, v, t, q, chosen)
}

// best fills w.hits with the first k of w.keep for the visitor, as the request has it.
func (r *Recommender) best(w *work, v Visit, t *Taste, q *Request, k int) {
	dropMentioned(w.keep, Visit{Seen: r.clean(Visit{Likes: q.Instead}).Likes})
	wanted := q.wanted(k)
	if q.Mode == ForYou {
		w.hits = r.index.NearestOf(w.hits, t.Row, w.distances, w.bonus, wanted, w.keep)
	} else {
		if q.Mode == HiddenGems {
			r.keepFew(w)
		} else {
			r.keepOutside(w, v.Likes)
		}
		w.hits = r.index.NearestOf(w.hits, t.Row, w.distances, w.bonus, 2*wanted, w.keep)
		r.floor(w, v)
		w.hits = w.hits[:min(wanted, len(w.hits))]
	}
	w.costsToDistances()
	r.choose(w, v, q, k)
}

// describe turns hits into suggestions.
func (r *Recommender) describe(w *work, v Visit, t *Taste, q Request, hits []Hit) []Suggestion {
	out := make([]Suggestion, len(hits))
	own := sumOfSquares(t.Spread)
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
			Spread:   r.radius(own + float64(r.spreads.variance[x.Item])),
		}
		if s.Certainty = Unsaid; chances != nil {
			s.Chance, s.Certainty = chances[i], r.of().Certainty(chances[i])
		}
		s.Reasons = Reasons(nil, r.items, likes, r.linkBonuses(w, likes, x.Item), x.Item, r.tau, reasonsShown)
		out[i] = s
	}
	return out
}

// radius returns the radius of the circle that holds half of a normal distribution along two of its dimensions;
// variance is the sum over all of them, such as of the difference between the visitor's mean and an item.
func (r *Recommender) radius(variance float64) float64 {
	return model.EllipseRadius(0.5) * math.Sqrt(variance/float64(r.items.Dim()))
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
