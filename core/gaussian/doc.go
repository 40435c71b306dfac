// Package gaussian holds diagonal Gaussians and the distance between them.
//
// An entity e (a user or an item) is N(μ_e, Σ_e) with a diagonal covariance. It is kept as one contiguous row
//
//	θ_e = [μ_e; s_e] ∈ R^{2h},   s_e = Σ_e^{1/2} ≥ MinStddev
//
// because the 2-Wasserstein distance of the paper (Eq. 3) between diagonal Gaussians,
//
//	W2²(a,b) = ‖μ_a−μ_b‖² + ‖s_a−s_b‖² = ‖θ_a−θ_b‖²,
//
// is the Euclidean distance between such rows. One layout therefore serves training, the scan in the browser,
// quantisation and any L2 index.
//
// Shapes, in this package and everywhere in core: U users, I items, N entities, h latent dimension, 2h the length
// of a row.
//
// In the flow: pmlam writes tables, model stores them, rank and profile read them. The package imports nothing but
// the vector kernels, so it is safe to link into the browser's program.
package gaussian
