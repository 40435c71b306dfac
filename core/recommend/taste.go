package recommend

import "math"

// Taste is a visitor's Gaussian and how well we know it. It must not be changed. One made of Row and Spread alone, and
// not by an Inferrer, is a fixed Gaussian of which nothing more is known.
type Taste struct {
	Row      []float32 // θ = [μ; s], 2h: what distances are measured from
	Spread   []float32 // h: standard deviation of our knowledge of μ; shrinks with evidence, widens with contradiction
	Evidence int       // number of likes and dislikes

	of    Evidence   // canonical
	scale float32    // by which the bounds scaled the composed mean; 1: not at all; 0: not inferred
	known *posterior // nil: not calibrated, or nothing liked
}

// Inferred reports whether an Inferrer made t, so that Covariance has more than its Spread.
func (t *Taste) Inferred() bool { return t.scale != 0 }

// Likes returns the likes that the taste was inferred from, ascending. They must not be changed.
func (t *Taste) Likes() []int { return t.of.Likes }

// Variance returns how much is not known of the visitor's mean: its variance over all dimensions, Σ spread². O(h).
func (t *Taste) Variance() float64 { return sumOfSquares(t.Spread) }

// Taste infers the visitor's Gaussian. It depends on the set of what was said alone, not on its order nor on the way
// there. warm is a taste inferred before, or nil: where it has the same likes and dislikes (a title was only
// marked as seen, or nothing changed) it is returned itself; otherwise it is left alone, see Inferrer.Infer for why.
// Items that do not exist are passed over, so a visit stored with an older model does no harm.
func (r *Recommender) Taste(v Visit, warm *Taste) *Taste {
	v = r.clean(v)
	return r.infer.Infer(Evidence{Likes: v.Likes, Dislikes: v.Dislikes}, warm)
}

// Distance returns W2 between the visitor and item i, in latent units.
func (r *Recommender) Distance(t *Taste, i int) float64 {
	return math.Sqrt(W2Squared(t.Row, r.items.Row(i)))
}

// Row returns item i's row, θ = [μ; s]. It must not be changed.
func (r *Recommender) Row(i int) []float32 { return r.items.Row(i) }
