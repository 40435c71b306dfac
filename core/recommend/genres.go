package recommend

import "github.com/pmlam/pmlam/core/internal/vec"

// The evidence of the likes' genres is scaled by genreWeight, more for a niche taste (addTaste), with genrePrior
// likes of average genres added. Both were tuned on held-out people of MovieLens small: their lists lose nothing,
// and people who name titles of one genre gain a sixth in NDCG@10 (core/lab/docs/ways.md).
const (
	genreWeight = 0.3
	genrePrior  = 10 // κ
)

// genreOdds returns for each genre the log odds of the visitor liking it, relative to all people:
//
//	logit q_g − logit p_g        q_g = (n_g + κ·p_g)/(n + κ)
//
// p_g is the share of all likes that go to titles of genre g, and n_g the number of the visitor's n likes that do. Each
// like counts with its weight (nil: 1), as in Inferrer.Draw. A genre of all titles, or of none, gives 0. O(genres·n).
func (r *Recommender) genreOdds(likes []int32, weights []float32) []float64 {
	out := make([]float64, len(r.genres))
	for g, name := range r.genres {
		of, said := r.byGenre[name], 0.0
		for k, j := range likes {
			switch {
			case !of.Has(int(j)):
			case weights == nil:
				said++
			default:
				said += float64(weights[k])
			}
		}
		out[g] = r.odds(g, said, float64(len(likes)))
	}
	return out
}

// odds returns the log odds of genreOdds for one genre, given n_g and n.
func (r *Recommender) odds(genre int, said, n float64) float64 {
	p := r.genreShares[genre]
	if !(p > 0 && p < 1) {
		return 0
	}
	q := (min(max(said, 0), n) + float64(genrePrior*p)) / (n + genrePrior)
	return vec.Log(q / (1 - q) * ((1 - p) / p))
}

// addGenres adds to dst (I) the evidence of the likes' genres for each title:
//
//	genres_i = c·τ·Σ_{g ∈ genres of i} odds_g        odds of genreOdds
//
// These are the log odds of naive Bayes, without the part that is equal for all titles, in units of τ: a softmax over
// −W2²/τ adds log odds. With any other loss a distance is not a log probability, so addTaste adds nothing. O(genres·n +
// memberships).
func (r *Recommender) addGenres(dst []float32, likes []int32, weights []float32, c float64) {
	for g, odds := range r.genreOdds(likes, weights) {
		b := float32(c * r.tau * odds)
		for i := range r.byGenre[r.genres[g]].All() {
			dst[i] += b
		}
	}
}
