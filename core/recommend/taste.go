package recommend

import (
	"math"
)

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
