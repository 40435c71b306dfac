package recommend

import (
	"math"
	"slices"
)

// Taste infers the visitor's Gaussian. It depends on the set of what was said alone, not on its order nor on the way
// there. warm is a taste inferred before, or nil: where it rests on the same likes and dislikes (a title was only marked
// as seen, or nothing changed) it is returned itself; otherwise it is left alone, see recommend.Inferrer.Infer for why.
// Items that do not exist are passed over, so a visit stored with an older model does no harm.
func (r *Recommender) Taste(v Visit, warm *Taste) *Taste {
	v = r.clean(v)
	return r.infer.Infer(Evidence{Likes: v.Likes, Dislikes: v.Dislikes}, warm)
}

// clean returns v without items that do not exist, without repetitions, and with each item in the first of its lists.
func (r *Recommender) clean(v Visit) Visit {
	said := NewItemSet(r.Len())
	keep := func(in []int) []int {
		out := make([]int, 0, len(in))
		for _, i := range in {
			if i >= 0 && i < r.Len() && !said.Has(i) {
				said.Add(i)
				out = append(out, i)
			}
		}
		return out
	}
	return Visit{Likes: keep(v.Likes), Dislikes: keep(v.Dislikes), Seen: keep(v.Seen)}
}

// Distance returns W2 between the visitor and item i, in latent units.
func (r *Recommender) Distance(t *Taste, i int) float64 {
	return math.Sqrt(W2Squared(t.Row, r.items.Row(i)))
}

// sorted returns a sorted copy: sums over the likes must not depend on their order.
func sorted(x []int) []int {
	out := slices.Clone(x)
	slices.Sort(out)
	return out
}
