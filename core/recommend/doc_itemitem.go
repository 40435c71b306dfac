// Package itemitem is the sparse item-item part of the preset hybrid: for every target item i a few source items j with
// weights B_ji, that stand beside the distance in the score of an item for a user,
//
//	score(u,i) = −W2²(u,i) + γ·Σ_{j ∈ history of u} B_ji
//
// The Gaussians say where a taste lies, and smooth; the part remembers which titles go with which, and does not. It
// is small (10 or 20 sources a target), needs nothing of a user but their history, and explains itself: each liked title
// contributes its own γ·B_ji.
//
// All sums run over the history in ascending order, in float32, with nothing that a compiler may fuse, so they are
// the same bits everywhere.
//
// In the flow: package fit finds a Part in the training data, model keeps it in the file, recommender adds it to the
// distances. The package knows neither data sets nor linear algebra, for the browser's program links it.
package recommend
