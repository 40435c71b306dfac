// Package training runs the parts that all methods of gradient descent share: epochs of shuffled pairs in batches,
// learning-rate decay, a validation part that selects the best epoch, early stopping, checkpoints, learning curves and
// random draws.
//
// A Method takes the steps. A Loop schedules them, validates and writes checkpoints:
//
//	l := training.NewLoop(method, plan)
//	resumed, err := l.Keep(training.Checkpoints{Folder: folder, Every: time.Minute})
//	err = l.Run(ctx, func(e training.Epoch) { … })
//	err = training.WriteFiles(folder, l.Figures(), l.History())
//
// A training that is stopped between two batches and resumed from its checkpoint ends with the same bits as an
// uninterrupted one, if the method's steps depend on nothing but their Batch and the tensors that the method names.
//
// Every random number is a function of a seed, a stream (its purpose) and a counter. So draws are independent of each
// other and of the number of workers, and a checkpoint holds no generator state.
//
//	method.go        the interface of a method; the errors of a diverged training
//	loop.go          epochs, batches, validation
//	epoch.go         the record of an epoch
//	checkpoint*.go   the file format, writing, reading, and whether a checkpoint fits
//	sampling.go      SplitMix64, the order of pairs, negatives, two-phase candidates
//	curve.go         the history as a table (CSV); pmlam-lab curves draws it
//
// Data flow: dataset → training (with a Method: pmlam, lab/learned) → eval.
package training
