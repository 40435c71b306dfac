// Package projection draws h-dimensional Gaussians on a plane: points, exact 2×2 covariances and their ellipses.
//
// The plane is spanned by two orthonormal axes P ∈ R^{2×h} through an origin o ∈ R^h; package pca finds it. A
// Gaussian N(μ, diag(s²)) falls on it as N(P(μ−o), P diag(s²) Pᵀ), which is exact, not an approximation.
//
// In the flow: pca fits a Plane at training time, model stores it, recommender and ui draw with it. Nothing here
// needs gonum, which keeps the browser's program small.
package model

// Plane is a plane in R^h. The zero value is no plane.
type Plane struct {
	Origin []float32    // o, h
	Axes   [2][]float32 // rows of P, h each, orthonormal
	Shares [2]float64   // share of the total variance of the item means along each axis, in [0,1]
}
