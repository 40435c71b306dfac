package training

import (
	"errors"
	"fmt"

	"github.com/pmlam/pmlam/core/eval"
)

// Method is a method of gradient descent.
type Method interface {
	// Pairs returns the number of positive pairs in an epoch; it is constant.
	Pairs() int
	// Figures returns the names of the values averaged over an epoch, for example "loss", in order; they are constant.
	Figures() []string
	// Step trains on the pairs of one batch and adds to its figures. It must be a function of the batch and the
	// tensors. If a value becomes non-finite, it returns a *NonFiniteError, adds nothing, and leaves the learned
	// tensors unchanged.
	Step(b *Batch) error
	// Tensors calls f for everything that steps change, in a fixed order. Writing to values changes the state. The
	// learned tensors make up the result; the others are only needed for training, such as Adam's moments.
	Tensors(f func(name string, values []float32, learned bool))
	// Scorer ranks with the present state, for a validation.
	Scorer() eval.Scorer
}

// Remote is a Method whose state may live outside its tensors between steps, for example on a GPU.
type Remote interface {
	Method
	// Fetch copies the state to the tensors. It is called before they are read and before Scorer. Tensors are only
	// written before the first step. After an error no step may follow.
	Fetch() error
}

// Batch is the input of a step.
type Batch struct {
	Epoch    int     // epochs completed
	Number   int     // of the step in the whole training, from 1, as in Adam's bias correction
	Order    []int32 // the epoch's order of all pairs; read-only
	From, To int     // the batch is Order[From:To]
	Rate     float64 // learning rate

	sums   []float64
	counts []int
}

// Last reports whether this is the epoch's last batch.
func (b *Batch) Last() bool { return b.To == len(b.Order) }

// Add adds a sum over n pairs to a figure; an epoch reports the mean over all its pairs.
func (b *Batch) Add(figure int, sum float64, n int) {
	b.sums[figure] += sum
	b.counts[figure] += n
}

// Set sets the value of a figure that the epoch reports.
func (b *Batch) Set(figure int, value float64) { b.sums[figure], b.counts[figure] = value, 1 }

// NonFiniteError reports that a training diverged, where, and in which tensor.
type NonFiniteError struct {
	Epoch, Batch int    // both from 1
	Tensor       string // "the user-item loss", "the Gaussian of item 17", "W1 of the user-item margin network"
}

func (e *NonFiniteError) Error() string {
	return fmt.Sprintf("the training diverged: %s holds a value that is not finite in epoch %d, batch %d; a smaller "+
		"learning rate may help", e.Tensor, e.Epoch, e.Batch)
}

// CollapseError reports that a training ended with finite values that do not distinguish anything.
type CollapseError struct {
	Epoch int    // of the state, from 1
	What  string // "all items have the same Gaussian"
}

func (e *CollapseError) Error() string {
	return fmt.Sprintf("the training collapsed: after epoch %d %s; try a smaller "+
		"learning rate, or different initial values", e.Epoch, e.What)
}

// Diverged reports whether numerical trouble ended a training: a *NonFiniteError or a *CollapseError.
func Diverged(err error) bool {
	return errors.As(err, new(*NonFiniteError)) || errors.As(err, new(*CollapseError))
}
