package recommend

// generalShare returns which share of an item's score comes from what people like in general, the prior of
// Composition.Prior, and not from what the visitor said. What a score owes to the visitor is linear in their row,
//
//	score_i = −W2²(u, i) + bonus_i = 2⟨θ_u, θ_i⟩ + bonus_i − ‖θ_i‖² − ‖θ_u‖²
//
// and the row is linear in the prior's, but for the bounds of compose. So with item i compared to the average of all
// items, θ̄,
//
//	lead  = 2⟨θ_u, θ_i − θ̄⟩ + bonus_i
//	prior = 2⟨w·κ/(n+κ)·m, θ_i − θ̄⟩        m: the mean row of all likes, its mean scaled as that of θ_u
//	share = prior / lead                    in [0,1]: 0 where prior ≤ 0, 1 where prior ≥ lead
//
// n likes, w Composition.Weight and κ Composition.Prior. bonus_i is there (addBonus). It is 0 where nothing is liked,
// where there is no prior, and of a taste that was not inferred. O(h).
func (r *Recommender) generalShare(w *work, t *Taste, n, i int) float64 {
	c := r.infer.s.Composition
	if n == 0 || c.Prior == 0 || !t.Inferred() {
		return 0
	}
	h := r.items.Dim()
	row := r.items.Row(i)
	side := func(u []float32) (mean, stddev float64) {
		for d, x := range u {
			p := float64(float64(x) * (float64(row[d]) - float64(r.centre[d])))
			if d < h {
				mean += p
			} else {
				stddev += p
			}
		}
		return mean, stddev
	}
	mean, stddev := side(t.Row)
	lead := 2 * (mean + stddev)
	if w.bonus != nil {
		lead += float64(w.bonus[i])
	}
	mean, stddev = side(r.infer.mean)
	others := float64(float64(c.Weight) * (1 - r.infer.Own(n)))
	prior := float64(2 * others * (float64(float64(t.scale)*mean) + stddev))
	switch {
	case prior <= 0:
		return 0
	case prior >= lead:
		return 1
	}
	return prior / lead
}
