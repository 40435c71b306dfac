// Package margin is the adaptive margin f(i,j,k;Φ) of the paper (Eqs. 11 to 14): a small network that maps a triplet of
// sampled embeddings to the margin that its two distances should keep.
//
//	s = input form of (x_a, x_p, x_q) ∈ R^S      a₁ = W₁s + b₁ ∈ R^H      g = tanh(a₁)
//	o = w₂·g + b₂                                m = softplus(o) > 0
//
// Training needs three results, which tile.go has side by side: the value m; its gradient by the embeddings, for the
// inner step of the bilevel training; and ∇_Φ(∇_x m · v), the mixed second derivative, through which alone the outer
// loss reaches Φ. All three are closed forms.
//
// Shapes: h latent dimension, H hidden width, S width of s (3h or h), P pairs of Q negatives each, T = P·Q triplets, A
// of them active. A prime marks a size padded to whole vectors (h′, H′).
//
// Data flow: pmlam trains it, model stores the user-item network, and recommend may use it to fold a visitor in.
package margin
