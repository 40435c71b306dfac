// Package margin is the adaptive margin f(i,j,k;Φ) of the paper (Eqs. 11 to 14): a small network that looks at a
// triplet of sampled embeddings and says how far apart the two distances should be.
//
//	s = input form of (x_a, x_p, x_q) ∈ R^S      a₁ = W₁s + b₁ ∈ R^H      g = tanh(a₁)
//	o = w₂·g + b₂                                m = softplus(o) > 0
//
// Three things are needed of it, and each stands beside the others in tile.go: the value m; its gradient by the
// embeddings, which the inner step of the bilevel training follows; and ∇_Φ(∇_x m · v), the mixed second derivative
// through which alone the outer loss reaches Φ. All three are closed forms.
//
// Shapes: h latent dimension, H hidden width, S width of s (3h or h), P pairs of Q negatives each, T = P·Q triplets, of
// which A are active; a prime marks what is padded to whole vectors (h′, H′).
//
// In the flow: pmlam trains it, model stores the user-item network, recommend may use it to fold a visitor in.
package margin
