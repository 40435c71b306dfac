// Package profile turns what a visitor says (likes and dislikes) into their Gaussian.
//
// A user's row θ_u = [μ_u; s_u] comes about in one of three ways, which the model was trained for (Composition):
// learned in a user table, composed from the rows of the items they like, or both. Compose is that one formula,
// forward and backward; training and the browser call the same code. An Inferrer finds the row of somebody whom the
// training has not seen: by the formula alone where nothing is learned per user, and otherwise by fold-in, a short
// descent of the training's own loss with all items frozen.
//
// Beside the row stands how well the visitor's mean is known, because the trained s does not tell: where the model is
// calibrated a posterior (posterior.go) whose regions hold what they say, else a spread that at least shrinks with evidence
// and widens with contradiction (spread.go).
//
// Everything is a function of the set of evidence, to the bit, on every platform: sums run in the items' order through
// the kernels of vec, negatives are a fixed sample, and nothing is used of package math but what is exact.
//
// In the flow: pmlam trains with Compose; recommender asks an Inferrer at every like.
package recommend
