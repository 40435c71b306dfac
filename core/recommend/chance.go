package recommend

import (
	"cmp"
	"slices"

	"github.com/pmlam/pmlam/core/model"
)

// LikeInputs returns the inputs for the chance that the visitor likes each of the items. rates come from
// model.LikeRegression, one for each item of the catalogue. O(I·h + |items|·(log I + n + m)).
func (r *Recommender) LikeInputs(v Visit, t *Taste, items []int, rates []float32) []model.LikeInput {
	v = r.clean(v)
	w := r.pool.Get().(*work)
	defer r.pool.Put(w)
	r.price(w, t.Row, v)
	return r.likeInputs(w, v, items, w.beyond(items), rates)
}

// Costs returns the costs by which ForYou ranks, for each item of the catalogue: W2² minus the bonus from links and
// genres. O(I·h).
func (r *Recommender) Costs(v Visit, t *Taste) []float32 {
	w := r.pool.Get().(*work)
	defer r.pool.Put(w)
	r.price(w, t.Row, r.clean(v))
	return slices.Clone(w.costs)
}

// likeInputs is LikeInputs once costs and bonus are set; beyond[k] is the number of titles costing more than items[k].
func (r *Recommender) likeInputs(w *work, v Visit, items []int, beyond []int, rates []float32) []model.LikeInput {
	liked := 0.0
	for _, j := range sorted(v.Likes) {
		liked += float64(rates[j])
	}
	if n := len(v.Likes); n > 0 {
		liked /= float64(n)
	}
	out := make([]model.LikeInput, len(items))
	for k, i := range items {
		place := r.Len() - 1 - beyond[k]
		for _, said := range [...][]int{v.Likes, v.Dislikes, v.Seen} {
			for _, j := range said {
				if j != i && w.costs[j] <= w.costs[i] {
					place--
				}
			}
		}
		c := model.LikeInput{
			Rate: float64(rates[i]), Count: max(r.cat.Items[i].Count, 0), Items: r.known, Place: max(place, 0),
			Likes: len(v.Likes), Dislikes: len(v.Dislikes), Liked: liked,
		}
		if w.bonus != nil {
			c.Bonus = float64(w.linked[i]) / r.tau
		}
		out[k] = c
	}
	return out
}

// beyond returns for each of these items the number of all items that cost more. O(I log k).
func (w *work) beyond(items []int) []int {
	order := orderOf(len(items), func(a, b int) int { return cmp.Compare(w.costs[items[a]], w.costs[items[b]]) })
	w.limits = w.limits[:0]
	for _, k := range order {
		w.limits = append(w.limits, w.costs[items[k]])
	}
	if cap(w.farther) < len(items) {
		w.farther = make([]int, len(items))
	}
	w.farther = w.farther[:len(items)]
	countFarther(w.farther, w.costs, w.limits)
	if canBeNear && w.sampled > 0 {
		extrapolate(w)
	}
	out := make([]int, len(items))
	for place, k := range order {
		out[k] = w.farther[place]
	}
	return out
}

// states reports whether chances are stated to v. The order of recent items was not calibrated.
func (r *Recommender) states(v Visit) bool {
	return r.reliability().States(v) && (r.next == nil || len(v.Recent) == 0)
}

// chances returns Suggestion.Chance of the items, or nil if chances are deferred or not stated.
func (r *Recommender) chances(w *work, v Visit, t *Taste, q Request, items []int, beyond []int) []float64 {
	if !r.states(v) {
		return nil
	}
	if r.like == nil {
		if q.Later {
			return nil
		}
		return r.stability(w, v, t, q, items, stabilityCandidates)
	}
	out := make([]float64, len(items))
	for k, c := range r.likeInputs(w, v, items, beyond, r.like.Rates) {
		f := c.Features()
		out[k] = r.like.Chance(&f)
	}
	return out
}
