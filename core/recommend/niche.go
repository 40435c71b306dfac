package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// The effects of a niche taste were chosen on two of four parts of the people of MovieLens small and measured on the
// other two (core/lab/docs/taste.md).
const (
	nicheMost   = 2.0     // the largest evidence
	nicheGenres = 2.0 / 3 // added to the weight of genres by one unit of evidence, relative to genreWeight
	rarity      = 0.4     // ρ, the weight of being little known, for a visitors' prior of rarityFrom likes or more
	rarityFrom  = 3
)

// niche returns the evidence that the visitor has a narrow taste: by how much better the other likes predict each like
// than general popularity does, in nats,
//
//	1/n·Σ_j [(W2²(v₀, j) − W2²(v₋ⱼ, j))/τ + Σ_{g ∈ genres of j} odds_g of the others]
//
// clipped to [0, nicheMost]. v₀ is the row of the neutral visitor, v₋ⱼ that of a visitor who likes all but j, and the
// odds come from genreOdds. It is 0 for people of average taste, for fewer than two likes, and in models without a
// visitors' prior or whose distances are not log probabilities (addGenres). The order of the likes does not matter.
// O(n·(h + genres)).
func (r *Recommender) niche(likes []int) float64 {
	c := r.infer.s.Composition
	if len(likes) < 2 || r.rare == nil {
		return 0
	}
	likes = sorted(likes)
	n, width := float32(len(likes)), 2*r.items.Dim()
	own := float32(r.infer.LikesWeight(len(likes) - 1))
	sum, others, row := make([]float32, width), make([]float32, width), make([]float32, width)
	for _, j := range likes {
		vec.Axpy(1, r.items.Row(j), sum)
	}
	evidence := 0.0
	for _, j := range likes {
		item := r.items.Row(j)
		for d, x := range item {
			others[d] = float32(own*((sum[d]-x)/(n-1))) + float32((1-own)*r.infer.mean[d])
		}
		gaussian.Compose(row, nil, others, c.Weight, r.infer.s.Radius)
		evidence += (W2Squared(r.average, item) - W2Squared(row, item)) / r.tau
	}
	for g, name := range r.genres {
		of, said := r.byGenre[name], 0.0
		for _, j := range likes {
			if of.Has(j) {
				said++
			}
		}
		if said > 0 {
			evidence += float64(said * r.odds(g, said-1, float64(len(likes)-1)))
		}
	}
	return min(max(evidence/float64(len(likes)), 0), nicheMost)
}

// addTaste adds to dst (I), for each title, the evidence from the genres of the likes and, for popularity's share to
// fall as the evidence of a niche taste grows, from being little known:
//
//	genres_i + rare_i        rare_i = ρ·min(κ/3, 1)·√(κ/(n+κ))·(1 − 1/n)·(1 + niche)·τ·ln((1 + c)/(1 + count_i))
//
// c is the count that 85% of titles do not exceed, so better-known titles lose and others gain. κ/(n+κ) is the share of
// the prior in the visitor's row (compose). The calibration chooses κ on people that the training has not seen: where
// popularity predicts little about them, and for visitors of many likes, its share is small, and little is taken. A
// single like is no evidence of a narrow taste, so nothing is. addGenres defines genres_i. Without likes, and where
// addGenres adds nothing, nothing is added. O(genres·n + memberships + I).
func (r *Recommender) addTaste(dst []float32, likes []int32, weights []float32, n int, niche float64) {
	if len(likes) == 0 || r.model.Objective.Loss.Kind != gaussian.Softmax {
		return
	}
	r.addGenres(dst, likes, weights, genreWeight*(1+float64(nicheGenres*niche)))
	r.addRare(dst, n, niche)
}

// addRare adds rare_i of addTaste for a visitor of n likes. HiddenGems ranks with it once more. O(I).
func (r *Recommender) addRare(dst []float32, n int, niche float64) {
	c := r.rareness(n, niche)
	for i, x := range r.rare {
		dst[i] += float32(c * x)
	}
}

// rareness returns ρ·min(κ/3, 1)·√(κ/(n+κ))·(1 − 1/n)·(1 + niche) of addTaste, for n ≥ 1. It is not inlined, to keep
// programs small.
//
//go:noinline
func (r *Recommender) rareness(n int, niche float64) float32 {
	share := math.Sqrt(1-r.infer.LikesWeight(n)) * float64(n-1) / float64(n)
	return float32(r.fullRarity() * share * (1 + niche))
}

// fullRarity returns ρ·min(κ/3, 1), or 0 in models with NoRarity.
func (r *Recommender) fullRarity() float64 {
	if r.model.Objective.NoRarity {
		return 0
	}
	return rarity * min(float64(r.infer.s.Composition.Prior)/rarityFrom, 1)
}

// Rareness returns rareness for a visitor of these likes, the weight of −τ·ln(1 + count_i) in rare_i; 0 without links.
// O(n·(h + genres)).
func (r *Recommender) Rareness(likes []int) float32 {
	if len(likes) == 0 || r.rare == nil || r.links == nil {
		return 0
	}
	return r.rareness(len(likes), r.niche(likes))
}

// newRare returns τ·ln((1 + c)/(1 + count)) of each title, see addTaste; nil where that adds nothing. O(I).
func (r *Recommender) newRare() []float32 {
	if c := r.infer.s.Composition; c.Free || c.Prior == 0 || r.model.Objective.Loss.Kind != gaussian.Softmax {
		return nil
	}
	out, of := make([]float32, r.Len()), map[int]float32{}
	for i := range out {
		yieldAfter(i)
		count := max(r.cat.Items[i].Count, 0)
		x, known := of[count]
		if !known {
			x = float32(r.tau * vec.Log(float64(1+r.fewest)/float64(1+count)))
			of[count] = x
		}
		out[i] = x
	}
	return out
}
