package recommend

import (
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// Shared is a title for two people, with its match, reasons and certainty for each of them.
type Shared struct {
	Item int
	Each [2]Suggestion
}

// Together returns at most q.K items for two people, best first: items that neither has in their visit, nearest to the
// point halfway between them (halfway), minus the mean of their item-item bonuses,
//
//	cost_i = W2²(halfway, i) − ½·(bonus_i of a + bonus_i of b)        bonus as in bonus.go
//
// with the evidence of a niche taste (niche) of their likes together, so that common interests weigh more. Both count
// the same, however many likes each has. Of q, only K, Skip, Filter, Diversity and Instead matter, and the Rules apply.
// For two identical people it is the list of ForYou. docs/RATIONALE.md explains the alternatives, and the meaning of
// fair here. O(I·h).
func (r *Recommender) Together(a, b Visit, ta, tb *Taste, q Request) []Shared {
	if q.K <= 0 || r.Len() == 0 {
		return nil
	}
	both, tastes := [2]Visit{r.clean(a), r.clean(b)}, [2]*Taste{ta, tb}
	w := r.pool.Get().(*work)
	defer r.pool.Put(w)
	r.fill(w.keep, q.Filter)
	for _, v := range [...]Visit{both[0], both[1], r.clean(Visit{Likes: q.Instead})} {
		dropMentioned(w.keep, v)
	}
	row := halfway(ta.Row, tb.Row)
	r.index.Distances(w.distances, row)
	var mean []float32
	if r.links != nil {
		mean = make([]float32, r.Len())
		all := slices.Concat(both[0].Likes, both[1].Likes)
		all = r.clean(Visit{Likes: all}).Likes
		niche := r.niche(all)
		for _, v := range both {
			// Halving is exact, so only the order of the addition matters.
			if r.addBonus(w, v, len(all), niche); w.bonus != nil {
				for i, x := range w.bonus {
					mean[i] += x / 2
				}
			}
		}
	}
	w.bonus = mean
	skip := min(max(q.Skip, 0), r.Len())
	k := min(q.K, r.Len()-skip) + skip
	q.Exploration = 0
	pinned, bonus := r.takePinned(w.keep), r.ranking(w)
	rest := max(k-len(pinned), 0)
	r.cheapest(w, row, bonus, pinned, q.wanted(rest))
	w.costsToDistances(bonus)
	r.choose(w, Visit{Likes: slices.Concat(both[0].Likes, both[1].Likes)}, &q, rest)
	chosen := w.page(pinned, skip, k)
	out := make([]Shared, len(chosen))
	for i, x := range chosen {
		out[i].Item = x.Item
	}
	if q.Bare {
		return out
	}
	for side, v := range both {
		r.index.Distances(w.distances, tastes[side].Row)
		r.addBonus(w, v, len(v.Likes), r.niche(v.Likes))
		for i, s := range r.describe(w, v, tastes[side], q, chosen) {
			out[i].Each[side] = s
		}
	}
	return out
}

// halfway returns the row between two. The W2 barycentre of two diagonal Gaussians is the mean of their rows, and
// ranking by W2² from it is ranking by the sum of both W2²:
//
//	W2²(a, x) + W2²(b, x) = 2·W2²(m, x) + W2²(a, b)/2        m = (θ_a + θ_b)/2
//
// But visitors are on or near the sphere that bounds their means, and the point between two is inside, the deeper the
// less they have in common. There W2 depends less on direction and more on a title's distance from the origin. So the
// mean is scaled to the average norm of the two: halfway on the sphere.
func halfway(a, b []float32) []float32 {
	row, h := make([]float32, len(a)), len(a)/2
	for d := range row {
		row[d] = (a[d] + b[d]) / 2
	}
	norm := func(row []float32) float32 { return float32(math.Sqrt(float64(vec.Dot(row[:h], row[:h])))) }
	if n := norm(row); n > 0 {
		c := (norm(a) + norm(b)) / 2 / n
		for d := range h {
			row[d] *= c
		}
	}
	return row
}
