package recommend

import "math"

// Taste is a visitor's Gaussian with its uncertainty. It must not be changed. A Taste with only Row and Spread, not
// from an Inferrer, is a fixed Gaussian without further information.
type Taste struct {
	Row      []float32 // θ = [μ; s], 2h: the origin of distances
	Spread   []float32 // h: standard deviation of our knowledge of μ; shrinks with evidence, widens with contradiction
	Evidence int       // number of likes and dislikes

	of    Evidence   // canonical
	scale float32    // factor of the bounds on the composed mean; 1: not bounded; 0: not inferred
	known *posterior // nil: not calibrated, or no likes
}

// Inferred reports whether t comes from an Inferrer, so Covariance can use more than its Spread.
func (t *Taste) Inferred() bool { return t.scale != 0 }

// Likes returns the likes behind the taste, ascending. They must not be changed.
func (t *Taste) Likes() []int { return t.of.Likes }

// Variance returns the uncertainty of the visitor's mean: its variance over all dimensions, Σ spread². O(h).
func (t *Taste) Variance() float64 { return sumOfSquares(t.Spread) }

// Taste infers the visitor's Gaussian. It depends only on the sets of likes and dislikes, not on their order or
// history. warm is an earlier taste, or nil. If it has the same likes and dislikes (only a seen title was added, or
// nothing), it is returned itself; otherwise it is ignored, see Inferrer.Infer for the reason. Invalid items are
// ignored, so a visit stored with an older model does no harm.
func (r *Recommender) Taste(v Visit, warm *Taste) *Taste {
	v = r.clean(v)
	return r.infer.Infer(Evidence{Likes: v.Likes, Dislikes: v.Dislikes, Weights: v.Weights}, warm)
}

// Distance returns W2 between the visitor and item i, in latent units.
func (r *Recommender) Distance(t *Taste, i int) float64 {
	return math.Sqrt(W2Squared(t.Row, r.items.Row(i)))
}

// Row returns item i's row, θ = [μ; s]. It must not be changed.
func (r *Recommender) Row(i int) []float32 { return r.items.Row(i) }
