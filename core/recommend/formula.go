package recommend

import "github.com/pmlam/pmlam/core/gaussian"

// Formula is what the order of ForYou rests on beside the items' rows, their links and genres: what another engine,
// such as a database, must know to rank as this package does. See compose (compose.go), addBonus (bonus.go) and
// addGenres (genres.go) for the formulas.
type Formula struct {
	Composition gaussian.Composition // how a visitor's row is made; with a free part it is fitted, see foldIn
	Radius      float32              // of the ball of the means; +Inf: free
	Push        float32              // γ of dislikes, in units of how far their mean lies from Mean
	Mean        []float32            // 2h: the catalogue's mean row
	Prior       []float32            // 2h: the row of a visitor who has said nothing
	GenreScale  float64              // c·τ, what one log odds of a genre is worth in W2²; 0: genres count for nothing
	GenrePrior  float64              // κ, how many likes of average genres stand beside those of the visitor
	GenreShares map[string]float64   // p_g, the share of all likes that go to titles of the genre
}

// Formula returns the formula of the recommender's model. O(h + genres).
func (r *Recommender) Formula() Formula {
	f := Formula{
		Composition: r.infer.s.Composition, Radius: r.infer.s.Radius, Push: push,
		Mean: append([]float32(nil), r.infer.mean...), Prior: r.infer.Prior(),
		GenrePrior: genrePrior, GenreShares: make(map[string]float64, len(r.genres)),
	}
	if r.links != nil && r.model.Objective.Loss.Kind == gaussian.Softmax {
		f.GenreScale = genreWeight * r.tau
	}
	for g, name := range r.genres {
		f.GenreShares[name] = r.genreShares[g]
	}
	return f
}
