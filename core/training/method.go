package training

import (
	"errors"
	"fmt"

	"github.com/pmlam/pmlam/core/eval"
)

// Method is what is trained.
type Method interface {
	// Pairs returns how many positive pairs an epoch has; it does not change.
	Pairs() int
	// Figures returns the names of what is averaged over an epoch, "loss" say, in order; they do not change.
	Figures() []string
	// Step trains on the pairs of one batch and adds to its figures. It must be a function of the batch and of the
	// tensors. Where anything becomes not finite it returns a *NonFiniteError, adds nothing, and leaves the learned
	// tensors as they were before.
	Step(b *Batch) error
	// Tensors calls f for everything that steps change, in a fixed order. What f writes into values becomes the state.
	// learned ones are what the result is made of, the others what training needs beside, such as Adam's moments.
	Tensors(f func(name string, values []float32, learned bool))
	// Scorer ranks by the present state, for a validation.
	Scorer() eval.Scorer
}

// Remote is a Method whose state may be outside its tensors between steps, on a GPU for instance.
type Remote interface {
	Method
	// Fetch copies the state to the tensors. It is called before they are read and before Scorer; tensors are written
	// before the first step only. After an error no step may follow.
	Fetch() error
}

// Batch is what a step is about.
type Batch struct {
	Epoch    int     // epochs that are done
	Number   int     // of the step in the whole training, from 1: Adam's bias corrections count it
	Order    []int32 // the epoch's order of all pairs; not to be changed
	From, To int     // the batch is Order[From:To]
	Rate     float64 // learning rate

	sums   []float64
	counts []int
}

// Last reports whether this is the epoch's last batch.
func (b *Batch) Last() bool { return b.To == len(b.Order) }

// Add adds to a figure a sum over n pairs; what an epoch reports is the mean over all its pairs.
func (b *Batch) Add(figure int, sum float64, n int) {
	b.sums[figure] += sum
	b.counts[figure] += n
}

// Set makes value what the epoch reports of a figure.
func (b *Batch) Set(figure int, value float64) { b.sums[figure], b.counts[figure] = value, 1 }

// NonFiniteError says that a training diverged, where, and in which tensor.
type NonFiniteError struct {
	Epoch, Batch int    // both from 1
	Tensor       string // "the user-item loss", "the Gaussian of item 17", "W1 of the user-item margin network"
}

func (e *NonFiniteError) Error() string {
	return fmt.Sprintf("the training diverged: %s holds a value that is not finite in epoch %d, batch %d; a smaller "+
		"learning rate may help", e.Tensor, e.Epoch, e.Batch)
}

// CollapseError says that a training came to its end with finite numbers that tell nothing apart.
type CollapseError struct {
	Epoch int    // whose state it is, from 1
	What  string // "all items have the same Gaussian"
}

func (e *CollapseError) Error() string {
	return fmt.Sprintf("the training collapsed: after epoch %d %s, so that it has learned nothing; a smaller "+
		"learning rate may help, or a start in which they differ", e.Epoch, e.What)
}

// Diverged reports whether it is the numbers that ended a training: a *NonFiniteError or a *CollapseError.
func Diverged(err error) bool {
	return errors.As(err, new(*NonFiniteError)) || errors.As(err, new(*CollapseError))
}
