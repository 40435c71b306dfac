package recommend

import (
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// push is γ, the strength of dislikes, in units of the distance between the mean of the disliked rows and the
// catalogue's mean. On MovieLens small with half of a user's low ratings as dislikes, 1 and 2 leave held-out likes
// unchanged (Recall@10 rises by 3 to 13%), while held-out low ratings fall for 7 users of 10. At 4 the likes begin to
// fall too.
const push = 2

// compose writes Π(w·x) into row and returns the factor by which Π scaled the mean. x is the mean of the liked rows and
// of κ likes of an unknown visitor (Composition.Prior; only these without likes), moved away from the dislikes:
//
//	x = (n·μ̄_likes + κ·μ̄_catalogue)/(n+κ) − γ·m/(n+m)·(μ̄_dislikes − μ̄_catalogue)
//
// This holds for the means, with likes of the total weight n (Evidence.Weights) and m dislikes; the standard deviations
// are those of the first fraction. With W2² = ‖u−j‖² the shift lowers item j's score by 2wγm/(n+m)·⟨μ̄_dislikes −
// μ̄_catalogue, μ_j⟩. Items on the side of the dislikes fall and items on the opposite side rise, in proportion to
// their distance from the catalogue's mean. The share m/(n+m) lets many likes outweigh one dislike.
func (f *Inferrer) compose(row []float32, e Evidence) (scale float32) {
	w := len(row)
	sum := make([]float32, 2*w)
	sum, bad := sum[:w:w], sum[w:]
	n := e.total()
	if len(e.Likes) > 0 {
		f.center(sum, e.Likes, &e)
		if own := float32(f.likesWeight(n)); own < 1 {
			for d, m := range f.mean {
				sum[d] = float32(own*sum[d]) + float32((1-own)*m)
			}
		}
	} else {
		copy(sum, f.mean)
	}
	if m := len(e.Dislikes); m > 0 {
		f.center(bad, e.Dislikes, &Evidence{})
		c := push * float32(m) / float32(n+float64(m))
		h := w / 2
		vec.Axpy(-c, bad[:h], sum[:h])
		vec.Axpy(c, f.mean[:h], sum[:h])
	}
	return gaussian.Compose(row, nil, sum, f.s.Composition.Weight, f.s.Radius)
}

// LikesWeight returns the share of a visitor's own n likes in a composed row, n/(n+κ); the rest comes from κ prior
// likes.
func (f *Inferrer) LikesWeight(n int) float64 { return f.likesWeight(float64(n)) }

// likesWeight is LikesWeight of likes with the total weight n.
func (f *Inferrer) likesWeight(n float64) float64 {
	return float64(float32(n) / (float32(n) + f.s.Composition.Prior))
}
