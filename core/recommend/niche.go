package recommend

import (
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// The effects of a niche taste were chosen on two of four parts of the people of MovieLens small and measured on the
// other two (core/lab/docs/taste.md).
const (
	nicheMost   = 2.0     // the largest evidence
	nicheGenres = 2.0 / 3 // added to the weight of genres by one unit of evidence, relative to genreWeight
	rarity      = 0.2     // ρ, the weight of being little known, with a prior of rarityFrom likes or more
	rarityFrom  = 3.0
)

// niche returns the evidence that the visitor has a narrow taste: by how much better the other likes predict each like
// than general popularity does, in nats,
//
//	1/n·Σ_j [(W2²(v₀, j) − W2²(v₋ⱼ, j))/τ + Σ_{g ∈ genres of j} odds_g of the others]
//
// clipped to [0, nicheMost]. v₀ is the row of the neutral visitor, v₋ⱼ that of a visitor who likes all but j, and the
// odds are those of genreOdds. It is 0 for people of average taste, for fewer than two likes, and in models without a
// visitors' prior or whose distances are not log probabilities (addGenres). The order of the likes does not matter. O(n·(h + genres)).
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
//	genres_i + rare_i        rare_i = ρ·min(κ/3, 1)·(1 + niche)·τ·ln((1 + c)/(1 + count_i))
//
// c is the count that 85% of titles do not exceed, so better-known titles lose and others gain. κ is the visitors' prior
// (gaussian.Composition), which the calibration chooses on people that the training has not seen: where popularity
// predicts little about them, its share is small, and little is taken from it. genres_i is that of addGenres. Without likes, and where addGenres adds nothing, nothing is added. O(genres·n + memberships + I).
func (r *Recommender) addTaste(dst []float32, likes []int32, weights []float32, niche float64) {
	if len(likes) == 0 || r.model.Objective.Loss.Kind != gaussian.Softmax {
		return
	}
	r.addGenres(dst, likes, weights, genreWeight*(1+float64(nicheGenres*niche)))
	r.addRare(dst, niche)
}

// addRare adds rare_i of addTaste. HiddenGems ranks with it once more. O(I).
func (r *Recommender) addRare(dst []float32, niche float64) {
	rare := float32(rarity * (1 + niche))
	for i, x := range r.rare {
		dst[i] += float32(rare * x)
	}
}

// newRare returns min(κ/3, 1)·τ·ln((1 + c)/(1 + count)) of each title, see addTaste; nil where that adds nothing. O(I).
func (r *Recommender) newRare() []float32 {
	unit := r.rareUnit()
	if unit == 0 {
		return nil
	}
	out, of := make([]float32, r.Len()), map[int]float32{}
	for i := range out {
		yieldAfter(i)
		count := max(r.cat.Items[i].Count, 0)
		x, known := of[count]
		if !known {
			x = float32(unit * vec.Log(float64(1+r.fewest)/float64(1+count)))
			of[count] = x
		}
		out[i] = x
	}
	return out
}

// rareUnit returns min(κ/3, 1)·τ of addTaste; 0 where nothing is added.
func (r *Recommender) rareUnit() float64 {
	c := r.infer.s.Composition
	if c.Free || r.model.Objective.Loss.Kind != gaussian.Softmax {
		return 0
	}
	return r.tau * min(float64(c.Prior)/rarityFrom, 1)
}
