// Package profile turns what a visitor says (likes, dislikes, seen) into their Gaussian.
//
// A user's row θ_u = [μ_u; s_u] comes about in one of three ways, which the model was trained for (Composition):
// learned in a user table, composed from the rows of the items they like, or both. Compose is that one formula,
// forward and backward; training and the browser call the same code.
package profile
