// Package learned has the methods of the literature that are learned by gradient descent. Each is a Model of some
// hundred lines: its parameters, its loss with the gradient, its scores. Samples, sums of gradients, steps and bounds
// are shared. Package training runs the epochs, so all have PMLAM's checkpoints, validation and learning curves.
//
// Shapes: U users, I items, d latent dimension, Q negatives per pair, B samples in a batch: pairs, or whole users.
//
// Promises: the same bits for any number of workers. A batch is cut into a fixed number of parts, each lists its
// contributions in order, and one worker sums a row in that order. A Deriver computes effects of all rows at once, such
// as steps over a graph, between the samples and the sums.
//
// A validation scores U·I pairs, as many as some hundred epochs of training, so Scorers process items in blocks.
//
// Tests compare gradients with finite differences, and with another framework's on golden vectors (testdata/golden.py).
//
// Data flow: dataset → learned (by training) → eval. Not linked into the browser's program.
package learned
