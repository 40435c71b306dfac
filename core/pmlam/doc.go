// Package pmlam trains Probabilistic Metric Learning with Adaptive Margin (Ma et al., KDD 2020).
//
// Every user and item is a diagonal Gaussian; a positive item must lie nearer to its user than a sampled negative one
// by a margin that a small network makes for the triplet, and that network is learned by bilevel optimisation.
//
// One step of the training, on a batch of positive pairs:
//
//	sample     negatives for each pair; with relations, neighbours of the batch's users and items     batch.go
//	gather     the rows that the batch touches, side by side                                          step.go
//	inner      distances, margins, loss, and its gradient G by the rows (Eqs. 6, 16, 17)              inner.go
//	proxy      Θ̃ = Θ − αG, and v = ∇_Θ̃ J_outer with the fixed margin 1 (Eqs. 9, 10)                  adaptive.go
//	outer      ∇_Φ J_outer = −α Σ ∇_Φ(∇_Θ m · v) + 2λΦ, in closed form                                adaptive.go
//	update     Adam for Θ and for Φ, then the unit-ball bounds                                        step.go
//
// The gradient by the rows is kept as a list of terms, each a multiple of one vector added to one row (terms.go).
// Terms are sorted by row and every row is summed by one worker in one order, so there are no locks and the result
// has the same bits for any number of workers.
//
// All of it is laid out as products of matrices: the margin network takes tiles of pairs (adaptive.go, package margin).
//
// Beside the paper's hinge there is a sampled softmax loss, whose negatives may be shared by blocks of pairs
// (shared.go), and beside the paper's user table there are users that
// are composed from the items they like (compose.go). Package training takes a Trainer through its epochs and keeps
// its checkpoints: between two batches it can be left and gone on with, since every random number is a function of the
// seed and of what it is for (package sampling). Config names every switch, Presets the proven settings.
//
// Shapes: U users, I items, N entities, h latent dimension, 2h a row θ = [μ; s], H hidden width, B pairs in a batch,
// Q negatives a pair, T rows that a step touches.
//
// In the flow: dataset (and relation) → pmlam → model.
package pmlam
