package recommend

import "math"

// generalShare returns the share of an item's score that comes from general popularity, that is from the prior of
// Composition.Prior, and not from the visitor's likes and dislikes. The part of a score that depends on the visitor is
// linear in their row,
//
//	score_i = −W2²(u, i) + bonus_i = 2⟨θ_u, θ_i⟩ + bonus_i − ‖θ_i‖² − ‖θ_u‖²
//
// and the row is linear in the prior's, except for the bounds of compose. So compared with the average item, which has
// the row θ̄ and no bonus,
//
//	prior = 2⟨w·κ/(n+κ)·m, θ_i − θ̄⟩ + rare_i    m: the mean row of all likes, its mean scaled like that of θ_u
//	own   = 2⟨θ_u, θ_i − θ̄⟩ + bonus_i − prior
//	share = prior / (prior + |own|)             0 where prior ≤ 0
//
// with the part rare_i of the bonus (addTaste), likes of the total weight n, w Composition.Weight and κ
// Composition.Prior. If own < 0, the item is popular and the visitor's likes speak against it. Call addBonus
// first. The share is 0 without likes, without a prior, and for a taste that was not inferred. O(h).
func (r *Recommender) generalShare(w *work, t *Taste, i int) float64 {
	c, n := r.infer.s.Composition, len(t.Likes())
	if n == 0 || c.Prior == 0 {
		return 0
	}
	h := r.items.Dim()
	others := float64(float64(c.Weight) * (1 - r.infer.likesWeight(t.of.total())))
	var all, prior float64
	for d, x := range r.items.Row(i) {
		ahead := 2 * (float64(x) - float64(r.plainMean[d]))
		m := float64(others * float64(r.infer.mean[d]))
		if d < h {
			m *= float64(t.scale)
		}
		all += float64(ahead * float64(t.Row[d]))
		prior += float64(ahead * m)
	}
	if w.bonus != nil {
		all += float64(w.bonus[i])
		if r.rare != nil {
			prior += float64(r.rareness(n, w.niche) * r.rare[i])
		}
	}
	if prior <= 0 {
		return 0
	}
	return prior / (prior + math.Abs(all-prior))
}
