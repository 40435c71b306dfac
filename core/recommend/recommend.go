package recommend

import (
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/model"
)

// reasonsShown is the greatest number of reasons in a suggestion.
const reasonsShown = 3

// Recommend returns at most q.K items outside of the visit, best first:
//
//   - ForYou: lowest cost first, W2² minus the item-item bonus if the model has one (bonus.go).
//   - HiddenGems: the same among little-known titles, see keepFew.
//   - OutsideBubble: the same among unusual titles, see keepOutside.
//
// The last two leave out gambles (floor). In every mode, Exploration fills some places at random (surprise), and
// Diversity some with titles that are least like the others (vary); with both, one after the other. Instead removes
// titles and fills all places with titles least like them. Among the first five there is at most one title of a series
// (capSeries). A longer list extends a shorter one, and Skip drops its beginning. A filter that no title passes gives
// an empty list. Any Order except BestFirst lists all titles that pass the filter, see ordered. The Rules always apply:
// pinned items come first, in every mode and order.
//
// O(I·h).
func (r *Recommender) Recommend(v Visit, t *Taste, q Request) []Suggestion {
	if q.K <= 0 || r.Len() == 0 {
		return nil
	}
	if canBeNear && r.near != nil {
		if list, ok := recommendNear(r, &v, t, &q); ok {
			return list
		}
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
	if q.Order == BestFirst {
		dropMentioned(w.keep, Visit{Seen: r.clean(Visit{Likes: q.Instead}).Likes})
	}
	pinned := r.takePinned(w.keep)
	if rest := max(k-len(pinned), 0); q.Order != BestFirst {
		w.hits = r.ordered(w, q.Order, pinned, rest)
	} else {
		r.best(w, v, t, &q, pinned, rest)
	}
	chosen := w.page(pinned, skip, k)
	if q.Bare {
		out := make([]Suggestion, len(chosen))
		for i, x := range chosen {
			out[i].Item = x.Item
		}
		return out
	}
	return r.describe(w, v, t, q, chosen)
}

// Explain describes an item as Recommend does in a list, even if the visit or the Rules keep it out of lists. O(I·h).
func (r *Recommender) Explain(v Visit, t *Taste, item int) Suggestion {
	v = r.clean(v)
	w := r.pool.Get().(*work)
	defer r.pool.Put(w)
	r.fill(w.keep, Filter{})
	dropMentioned(w.keep, v)
	r.price(w, t.Row, v)
	return r.describe(w, v, t, Request{}, []Hit{{Item: item}})[0]
}

// page returns places skip to k of the list: the pinned items, then w.hits.
func (w *work) page(pinned []Hit, skip, k int) []Hit {
	all := w.hits
	if len(pinned) > 0 {
		all = slices.Concat(pinned, w.hits)
	}
	all = all[:min(k, len(all))]
	return all[min(skip, len(all)):]
}

// best fills w.hits with the first k of w.keep for the visitor and the request; the pinned items precede them.
func (r *Recommender) best(w *work, v Visit, t *Taste, q *Request, pinned []Hit, k int) {
	wanted, bonus := q.wanted(k), r.ranking(w)
	switch q.Mode {
	case HiddenGems:
		if r.keepFew(w); w.bonus != nil && len(v.Likes) > 0 {
			w.ranking = append(w.ranking[:0], bonus...)
			bonus = w.ranking
			r.addRare(bonus, len(v.Likes), w.niche)
		}
	case OutsideBubble:
		r.keepOutside(w, v.Likes)
	}
	r.dropCanon(w, q.Exploration)
	if q.Mode == ForYou {
		r.cheapest(w, t.Row, bonus, pinned, wanted)
	} else {
		r.cheapest(w, t.Row, bonus, pinned, 2*wanted)
		r.floor(w, v)
		w.hits = w.hits[:min(wanted, len(w.hits))]
	}
	w.costsToDistances(bonus)
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
			Match:    float64(beyond[i]+r.whole-r.Len()) / float64(max(r.whole-1, 1)),
			Spread:   r.radius(own + float64(r.spreads.variance[x.Item])),
			Pinned:   r.Pinned(x.Item),
		}
		if s.Certainty = Unsaid; chances != nil {
			s.Chance, s.Certainty = chances[i], r.chanceOf().Certainty(chances[i])
		}
		s.General = r.generalShare(w, t, x.Item)
		links := r.linkBonuses(w, likes, x.Item, len(v.Likes)+len(v.Dislikes))
		s.Reasons = Reasons(nil, r.items, likes, links, x.Item, r.tau, reasonsShown)
		s.Reasons = slices.DeleteFunc(s.Reasons, func(why Reason) bool { return !r.explains(why.Item, x.Item) })
		for j := range s.Reasons {
			s.Reasons[j].Share *= 1 - s.General
		}
		out[i] = s
	}
	return out
}

// radius returns the radius of the circle that contains half of a normal distribution along two of its dimensions;
// variance is the sum over all dimensions, for example of the difference between the visitor's mean and an item.
func (r *Recommender) radius(variance float64) float64 {
	return model.EllipseRadius(0.5) * math.Sqrt(variance/float64(r.items.Dim()))
}

// Similar returns the k items most like item by W2, links and genres (likeness), without the item itself and the titles
// mentioned. The Rules apply.
// Match is for a visitor whose taste is the item's Gaussian. A chance of liking is for a visitor whose only like is the
// item; a chance of staying is not stated. Reasons are left out. O(I·h).
func (r *Recommender) Similar(item int, mentioned Visit, k int) []Suggestion {
	if canBeNear && r.near != nil {
		if list, ok := similarNear(r, item, &mentioned, k); ok {
			return list
		}
	}
	w := r.pool.Get().(*work)
	defer r.pool.Put(w)
	t := &Taste{Row: r.items.Row(item), Spread: make([]float32, r.items.Dim())}
	r.index.Distances(w.distances, t.Row)
	chosen := r.nearest(w, item, mentioned, k)
	v := Visit{Seen: []int{item}}
	if r.like != nil {
		v = Visit{Likes: []int{item}}
	}
	out := r.describe(w, v, t, Request{}, chosen)
	for i := range out {
		out[i].Reasons = nil
	}
	return out
}

// SimilarItems returns the items of Similar for each of the items, without descriptions, for lists of a whole
// catalogue, some dozen items at a time. The rows are read only once. O(items·I·h).
func (r *Recommender) SimilarItems(items []int, k int) [][]int {
	w := r.pool.Get().(*work)
	defer r.pool.Put(w)
	n := r.Len()
	w.block = grow(w.block, len(items)*n)
	rows := make([][]float32, len(items))
	for q, item := range items {
		rows[q] = r.items.Row(item)
	}
	r.index.distancesOfAll(w.block, rows)
	out, own := make([][]int, len(items)), w.distances
	for q, item := range items {
		w.distances = w.block[q*n : (q+1)*n : (q+1)*n]
		for _, h := range r.nearest(w, item, Visit{}, k) {
			out[q] = append(out[q], h.Item)
		}
	}
	w.distances = own
	return out
}

// nearest returns the first k of Similar; w.distances must be set. The hits belong to w.
func (r *Recommender) nearest(w *work, item int, mentioned Visit, k int) []Hit {
	w.bonus, w.costs = nil, w.distances
	if k <= 0 {
		return nil
	}
	r.fill(w.keep, Filter{})
	w.keep.Remove(item)
	dropMentioned(w.keep, r.clean(mentioned))
	pinned := r.takePinned(w.keep)
	w.bonus = r.likeness(w, item)
	ranking := r.ranking(w)
	w.bonus = nil
	r.cheapest(w, r.items.Row(item), ranking, pinned, max(k-len(pinned), 0))
	return w.page(pinned, 0, k)
}
