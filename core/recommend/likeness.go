package recommend

import "github.com/pmlam/pmlam/core/internal/vec"

const (
	alike  = 0.35 // the least common share of genres of similar titles
	unlike = 1.5  // added to the costs of others, in τ. Where genres say little, as in some shops, W2 still decides
)

// likeness returns the bonus (I) of each title in the list of titles similar to item:
//
//	link from item + τ·common − v_i        common = Σ_{g of both} −ln p_g / Σ_{g of either} −ln p_g
//
// with p_g the share of genre g in all likes and v_i the variance of our knowledge of title i's mean, so that the
// noise in the rows of rarely liked titles does not bring them near. Below alike, common is less by unlike. A title
// without genres has no common share, and no penalty. Without item-item links the result is nil: such models list the
// nearest by W2. It belongs to w. O(I + memberships of genres).
func (r *Recommender) likeness(w *work, item int) []float32 {
	if r.links == nil {
		return nil
	}
	w.own, w.shared = grow(w.own, r.Len()), grow(w.shared, r.Len())
	bonus, shared, all := w.own, w.shared, r.genreWeights
	clear(bonus)
	clear(shared)
	r.links.Add(bonus, []int32{int32(item)})
	for g, name := range r.genres {
		if of := r.byGenre[name]; of.Has(item) {
			b := r.informative(g)
			for i := range of.All() {
				shared[i] += b
			}
		}
	}
	for i, x := range shared {
		bonus[i] -= r.spreads.variance[i]
		if all[i] == 0 || all[item] == 0 {
			continue
		}
		common := float64(x) / float64(all[i]+(all[item]-x))
		if common < alike {
			common -= unlike
		}
		bonus[i] += float32(r.tau * common)
	}
	return bonus
}

// informative returns −ln p_g of a genre; 0 for a genre of all likes, or of none.
func (t *titles) informative(genre int) float32 {
	p := t.genreShares[genre]
	if !(p > 0 && p < 1) {
		return 0
	}
	return float32(-vec.Log(p))
}

// newGenreWeights returns for each title the sum of informative over its genres. O(memberships).
func (t *titles) newGenreWeights() []float32 {
	out := make([]float32, t.Len())
	for g, name := range t.genres {
		b := t.informative(g)
		for i := range t.byGenre[name].All() {
			out[i] += b
		}
	}
	return out
}

// explains reports whether a like can be a reason for an item: a link leads from one to the other, or they have a genre
// in common (or one has none) and are nearer than the item is to a like drawn from all,
//
//	W2²(item, like) < W2²(item, θ̄) + Σ v₀
//
// with θ̄ the mean row of all likes and v₀ their variance (Inferrer). No reason is better than an absurd one.
func (r *Recommender) explains(like, item int) bool {
	if r.links != nil && r.model.ItemItem.Of(item, like) > 0 {
		return true
	}
	row := r.items.Row(item)
	if W2Squared(row, r.items.Row(like)) >= W2Squared(row, r.infer.mean)+r.infer.total {
		return false
	}
	common := r.genreWeights[like] == 0 || r.genreWeights[item] == 0
	for _, of := range r.byGenre {
		common = common || of.Has(like) && of.Has(item)
	}
	return common
}
