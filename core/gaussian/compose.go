package gaussian

import "github.com/pmlam/pmlam/core/internal/vec"

// Composition says how a user's row is made:
//
//	θ_u = Π(free_u + Weight · (1/n) Σ_{j liked} θ_j)
//
// with Π the bounds of Bound. Free alone (Weight 0) is the paper's user table. Weight without Free needs no user table,
// so any user's Gaussian can be composed on the fly. A visitor is unknown to the training and may have few likes. Their
// row is the posterior mean with the prior m, the mean row of all likes (Silent):
//
//	θ_v = Π(Weight · (Σ_{j liked} θ_j + Prior · m)/(n + Prior))
type Composition struct {
	Free   bool    // users have a learned free part
	Weight float32 // w ≥ 0; 0: no composition
	Prior  float32 // κ ≥ 0: likes of an unknown user, added to a visitor's own; 0 with a free part
}

// Compose writes θ = Π(free + c·sum) into dst and returns the factor by which Π scaled the mean (1: unscaled). free may
// be nil. sum is Σ θ_j over the n liked items and c is Weight/n; all rows have length 2h. O(h).
//
// Π here scales the mean into the ball of the given radius, and raises each standard deviation to at least MinStddev.
// ‖Σ‖ ≤ 1 follows from the rows of sum.
func Compose(dst, free, sum []float32, c, radius float32) (scale float32) {
	if free != nil {
		copy(dst, free)
	} else {
		clear(dst)
	}
	vec.Axpy(c, sum, dst)
	h := len(dst) / 2
	scale = ScaleInto(dst[:h], radius)
	vec.ScaleFloor(1, dst[h:], MinStddev)
	return scale
}

// ComposeBackward turns g = ∂L/∂θ into ∂L/∂(free + c·sum) in place, given the composed row θ and the scale that Compose
// returned. The derivative of scaling onto the sphere of radius r is scale·(I − μμᵀ/r²); a clipped standard deviation
// has the derivative 0. O(h).
func ComposeBackward(g, theta []float32, scale, radius float32) {
	h := len(g) / 2
	if scale != 1 {
		along := vec.Dot(g[:h], theta[:h]) / float32(radius*radius)
		for i := range h {
			g[i] = scale * (g[i] - float32(along*theta[i]))
		}
	}
	for i := h; i < 2*h; i++ {
		if theta[i] <= MinStddev {
			g[i] = 0
		}
	}
}
