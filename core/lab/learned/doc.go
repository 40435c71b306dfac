// Package learned holds the methods of the literature that PMLAM is compared with and that are learned by gradient
// descent. Each is a Model of some hundred lines: its parameters, its loss with the gradient beside it, its scores.
// Samples, sums of gradients, steps and bounds are shared, and package training takes all of them through their epochs,
// so they have PMLAM's checkpoints, validation and learning curves.
//
// Shapes: U users, I items, d latent dimension, Q negatives a pair, B samples in a batch: pairs, or whole users.
//
// It promises the same bits for any number of workers: a batch is cut into a fixed number of parts, each lists its
// contributions in order, and every row is summed by one worker in that order. What depends on all rows at once, such
// as steps over a graph, a Deriver does between the samples and the sums.
//
// A validation scores U·I pairs, as many as some hundred epochs learn from, so Scorers go through items
// by blocks.
//
// Gradients are compared with finite differences, and with another framework's on golden vectors (testdata/golden.py).
//
// In the flow: dataset → learned (by training) → eval. Not linked into the browser's program.
package learned
