package recommend

import "github.com/pmlam/pmlam/core/gaussian"

// Formula holds the parameters of ForYou's order apart from the items' rows, links and genres. Another engine, such as
// a database, needs them to rank as this package does. For the formulas see compose (compose.go), addBonus (bonus.go),
// addGenres (genres.go) and addTaste (niche.go).
type Formula struct {
	Composition gaussian.Composition // composition of a visitor's row; a free part is fitted, see foldIn
	Radius      float32              // of the ball of the means; +Inf: free
	Push        float32              // γ of dislikes, in units of the distance of their mean from Mean
	Mean        []float32            // 2h: the catalogue's mean row
	Prior       []float32            // 2h: the row of a neutral visitor
	LinkPrior   float32              // c of model.Objective.LinkShare
	GenreScale  float64              // c·τ, the value of one log odds of a genre in W2²; 0: genres are ignored
	GenrePrior  float64              // κ, the number of prior likes of average genres
	GenreShares map[string]float64   // p_g, the share of all likes that go to titles of the genre
	Unit        float64              // τ, the value of one nat in W2²
	NicheMost   float64              // the largest evidence of a niche taste
	NicheGenres float64              // added to the weight of genres by one unit of it, relative to GenreScale
	Rarity      float64              // ρ·min(κ/3, 1)·τ, the weight of being little known; 0: it is ignored
	FewKnow     int                  // c, the count that 85% of titles do not exceed
}

// Formula returns the formula of the recommender's model. O(h + genres).
func (r *Recommender) Formula() Formula {
	f := Formula{
		Composition: r.infer.s.Composition, Radius: r.infer.s.Radius, Push: push,
		Mean: append([]float32(nil), r.infer.mean...), Prior: r.infer.Prior(),
		LinkPrior:  r.model.Objective.LinkPrior,
		GenrePrior: genrePrior, GenreShares: make(map[string]float64, len(r.genres)),
		Unit: r.tau, NicheMost: nicheMost, NicheGenres: nicheGenres, FewKnow: r.fewest,
	}
	if r.links != nil && r.model.Objective.Loss.Kind == gaussian.Softmax {
		f.GenreScale, f.Rarity = genreWeight*r.tau, r.fullRarity()*r.tau
	}
	if r.rare == nil {
		f.Rarity = 0
	}
	for g, name := range r.genres {
		f.GenreShares[name] = r.genreShares[g]
	}
	return f
}
