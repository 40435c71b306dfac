// Package pmlam trains Probabilistic Metric Learning with Adaptive Margin (Ma et al., KDD 2020).
//
// Every user and item is a diagonal Gaussian. A positive item must lie nearer to its user than a sampled negative one,
// by a margin that a small network computes for the triplet. The network is learned by bilevel optimisation.
//
//	c, err := pmlam.Preset("paper")
//	t, err := pmlam.New(ctx, train, c, 0)
//	result, err := t.Run(ctx, nil)
//	m, err := result.Model(dataset, pmlam.Export{Config: c})
//
// The algorithm is implemented twice. reference.go is Algorithm 1 of the paper, line by line, slow and without
// hand-derived derivatives: read it first. The fast step gives the same values, as the tests check:
//
//	sample     negatives for each pair; with relations, neighbours of the batch's users and items     batch.go
//	gather     the rows that the batch touches, side by side                                          step.go
//	inner      distances, margins, loss, and its gradient G by the rows (Eqs. 6, 16, 17)              inner.go
//	proxy      Θ̃ = Θ − αG, and v = ∇_Θ̃ J_outer with the fixed margin 1 (Eqs. 9, 10)     outer.go, adaptive.go
//	outer      ∇_Φ J_outer = −α Σ ∇_Φ(∇_Θ m · v) + 2λΦ, in closed form                                adaptive.go
//	update     Adam for Θ and for Φ, then the unit-ball bounds                                step.go, bound.go
//
// The gradient of the rows is a list of terms, each a multiple of one vector added to one row (terms.go). Terms are
// sorted by row, and one worker sums each row in a fixed order. This needs no locks, and the result has the same bits
// for any number of workers. The margin network works on tiles of pairs, as products of matrices (adaptive.go, package
// margin).
//
// As printed, margins grow without bound. Settings that prevent this are a proxy of unit length with other outer losses
// and batches (outer.go), a smooth hinge whose weights teach the network (smooth.go), and bounds that fit a margin
// (bound.go).
//
// Besides the paper's hinge the package has a sampled softmax loss, whose negatives blocks of pairs may share
// (shared.go). Besides the paper's user table it has users composed from the items that they like (compose.go), and
// items whose rows are drawn towards those that the same users like (shrinkage.go).
//
//	config.go, preset.go           all settings, and proven ones
//	trainer.go, method.go          a training, and its interface to package training
//	warm.go                        starting from a trained model
//	finite.go, collapse.go         detecting a training that diverged
//	device*.go                     the same training on a GPU (build tag gpu)
//	result.go, export.go           the result, as a model file
//
// Package training runs the epochs of a Trainer and writes its checkpoints.
//
// Shapes: U users, I items, N entities, h latent dimension, 2h a row θ = [μ; s], H hidden width, B pairs in a batch, Q
// negatives per pair, T rows that a step touches.
//
// Data flow: dataset → pmlam → model.
package pmlam
