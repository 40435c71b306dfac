// Package training is the loop that every method learned by gradient descent goes through: epochs of shuffled pairs in
// batches, a falling learning rate, a validation part that chooses the best epoch, checkpoints, a clean stop.
//
// A Method does the steps; the Loop asks for them, counts, measures and keeps. It promises that a training which was cut
// between any two batches and goes on from its checkpoint ends with the same bits as one that was never cut, as long as
// the method's steps are functions of their Batch and of the tensors that it names.
//
// In the flow: dataset → training (with a Method: pmlam, a trained baseline) → eval. Package curve draws how it went.
package training
