// Package training runs what every method learned by gradient descent has in common: epochs of shuffled pairs in
// batches, a learning rate that may fall, a validation part that chooses the best epoch, early stopping, checkpoints,
// learning curves, and the random draws that all of it needs.
//
// A Method takes the steps. A Loop asks for them, counts, validates and keeps checkpoints:
//
//	l := training.NewLoop(method, plan)
//	resumed, err := l.Keep(training.Checkpoints{Folder: folder, Every: time.Minute})
//	err = l.Run(ctx, func(e training.Epoch) { … })
//	err = training.WriteFiles(folder, l.Figures(), l.History())
//
// A training that was stopped between two batches and continued from its checkpoint ends with the same bits as one that
// ran through, as long as the method's steps depend on nothing but their Batch and the tensors that the method names.
//
// Every random number is a function of a seed, a stream (what it is drawn for) and a counter. So no draw depends on
// another, nothing depends on the number of workers, and a checkpoint holds no generator's state.
//
//	method.go        what a method must offer; the errors of a training that diverged
//	loop.go          epochs, batches, validation
//	epoch.go         what is known of an epoch
//	checkpoint*.go   the file format, writing, reading, and whether a checkpoint fits
//	sampling.go      SplitMix64, the order of pairs, negatives, two-phase candidates
//	curve.go         the history as a table (CSV); pmlam-lab curves draws it
//
// In the flow: dataset → training (with a Method: pmlam, lab/learned) → eval.
package training
