// Package gaussian holds the mathematics shared by training and inference: diagonal Gaussians, the distance between
// them, their bounds, the composition of a user's Gaussian from items, the Gaussian of a user without likes, and the
// losses.
//
// An entity e (a user or an item) is N(μ_e, Σ_e) with a diagonal covariance. It is stored as one contiguous row
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
// A loss depends only on distances: with one anchor a, one positive p and Q negatives q, d_p = W2²(a,p) and d_q =
// W2²(a,q),
//
//	Hinge    L = Σ_q [d_p − d_q + m_q]₊                 paper, Eqs. 5 and 6; m_q fixed or from the margin network
//	Softmax  L = log(1 + Σ_q exp((d_p − d_q)/τ))        ours: sampled softmax over negated distances
//
// Loss.Coefficients returns the loss and its derivatives with respect to d_p and d_q. The gradients of the rows are in
// package pmlam (inner.go; for shared negatives shared.go, with a softmax of its own).
//
// Shapes, in this package and everywhere in core: U users, I items, N entities, h latent dimension, 2h the length of a
// row, Q negatives.
//
// In the flow: pmlam trains tables, model stores them, recommend infers a visitor with the same loss and composition.
// The package imports only the vector kernels, so it is safe to link into the browser's program.
package gaussian
