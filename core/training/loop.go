package training

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// StreamOrder is the random stream of the order of pairs; methods use other streams.
const StreamOrder = 2

// Plan configures the training of a method.
type Plan struct {
	Epochs    int     // maximum
	Batch     int     // pairs in a batch, ≥ 1
	LearnRate float64 // of the first step
	Decay     bool    // the rate falls linearly to 0 over all epochs
	Every     int     // epochs between validations, ≥ 1 if there is a validation part
	Patience  int     // validations without improvement before stopping; 0: never stop
	Seed      uint64  // of the order of pairs
	Together  int     // pairs of a run that stay adjacent in that order; 0 or 1: each pair is shuffled separately
	Parts     int     // random parts that each run is cut into, whose pairs stay adjacent; 0: none
	Runs      []int32 // starts of the runs of pairs, and the number of pairs; read only for Together and Parts
	Workers   int     // goroutines of a validation

	Train *dataset.Matrix // the training part
	Held  *dataset.Matrix // the validation part; nil: none, and the last epoch is the result

	// Settings are everything that determines the training, including the fields above, as a struct for JSON. A
	// checkpoint made with other settings is refused. Its keys "epochs" and "patience" may be raised, and Labels are
	// ignored.
	Settings any
	Labels   []string
}

// Loop is one training in progress. It is not safe for concurrent use.
//
// Besides the method's own memory it takes 4 bytes per pair and, if a validation selects the best epoch, a copy of the
// learned tensors.
type Loop struct {
	// Watch, if not nil, is called after every batch with the batches done and the total of the whole training.
	Watch func(done, total int)

	method  Method
	plan    Plan
	figures int
	order   []int32 // the epoch's order of pairs
	ordered int     // the epoch of that order, from 1; 0: none yet

	epoch, steps int // epochs and batches completed

	// The position of the training, which a checkpoint holds besides the tensors.
	at      int       // pairs of the current epoch completed
	sums    []float64 // its figures so far
	counts  []int     // pairs that these cover
	now     Epoch     // the rest of its record
	history []Epoch   // completed epochs
	stale   int       // validations since the best one
	best    *Best     // nil before the first validation
	start   string    // the initial state; "" if random

	keeper *keeper // of checkpoints; nil: none are written
}

// Best is a copy of the learned tensors at the epoch that validation selected.
type Best struct {
	Epoch int
	NDCG  float64 // on the validation part; may be NaN

	names  []string
	values [][]float32
}

// Tensor returns the copy of a learned tensor. It panics if the method has no such tensor.
func (b *Best) Tensor(name string) []float32 { return b.values[slices.Index(b.names, name)] }

// NewLoop prepares the training of m, which must be ready for its first step.
func NewLoop(m Method, p Plan) *Loop {
	n := len(m.Figures())
	return &Loop{method: m, plan: p, figures: n, sums: make([]float64, n), counts: make([]int, n)}
}

// BeginFrom records that the tensors start from an earlier result, identified by name. A checkpoint with another start
// is refused.
func (l *Loop) BeginFrom(name string) { l.start = name }

// Batches returns the number of batches in an epoch.
func (l *Loop) Batches() int { return l.batchesIn(l.method.Pairs()) }

// batchesIn returns the number of batches in the first pairs of an epoch.
func (l *Loop) batchesIn(pairs int) int { return (pairs + l.plan.Batch - 1) / l.plan.Batch }

// Epochs returns the number of completed epochs and of completed batches in the next one.
func (l *Loop) Epochs() (done, batches int) { return l.epoch, l.batchesIn(l.at) }

// Steps returns the number of completed batches.
func (l *Loop) Steps() int { return l.steps }

// Best returns the state at the best validation so far; nil if there was none.
func (l *Loop) Best() *Best { return l.best }

// Figures returns the names of the method's figures, in the order of Epoch.Figures.
func (l *Loop) Figures() []string { return l.method.Figures() }

// History returns the completed epochs, including those before the checkpoint that the training resumed from. The slice
// belongs to the loop.
func (l *Loop) History() []Epoch { return l.history }

// over reports whether nothing is left to do: all epochs are completed, or patience is exhausted.
func (l *Loop) over() bool {
	return l.epoch >= l.plan.Epochs || l.plan.Patience > 0 && l.stale >= l.plan.Patience
}

// Run trains until all epochs are completed, patience is exhausted or ctx ends. report, if not nil, is called after
// every epoch.
//
// The end of ctx is noticed between two batches; the method then holds the training so far, and the error wraps ctx's.
// The same holds for a *NonFiniteError, with the state before the batch that caused it. With checkpoints, a last one is
// written before Run returns, but never of a non-finite state.
func (l *Loop) Run(ctx context.Context, report func(Epoch)) error {
	for !l.over() {
		if err := l.runEpoch(ctx); err != nil {
			if ctx.Err() != nil {
				err = l.stopped(ctx.Err())
			}
			return err
		}
		if report != nil {
			report(l.history[len(l.history)-1])
		}
	}
	l.keeper.saveOrSay(l)
	return nil
}

// stopped writes a last checkpoint and returns the error of a stopped training.
func (l *Loop) stopped(cause error) error {
	if err := l.keeper.save(l); err != nil {
		return fmt.Errorf("the training was stopped in epoch %d, and its last checkpoint could not be written (%v): %w",
			l.epoch+1, err, cause)
	}
	return fmt.Errorf("the training was stopped in epoch %d: %w", l.epoch+1, cause)
}

// runEpoch completes the current epoch.
func (l *Loop) runEpoch(ctx context.Context) error {
	if l.ordered != l.epoch+1 {
		switch seed, epoch := l.plan.Seed, uint64(l.epoch); {
		case l.plan.Parts > 0:
			l.order = OrderParts(l.order, l.plan.Runs, l.plan.Parts, seed, StreamOrder, epoch)
		case l.plan.Together > 1:
			l.order = OrderTogether(l.order, l.plan.Runs, l.plan.Together, seed, StreamOrder, epoch)
		default:
			l.order = Order(l.order, l.method.Pairs(), seed, StreamOrder, epoch)
		}
		l.ordered = l.epoch + 1
	}
	last := time.Now()
	for {
		now := time.Now()
		l.now.Seconds += now.Sub(last).Seconds()
		last = now
		l.keeper.saveIfDue(l)
		if err := ctx.Err(); err != nil {
			return err
		}
		if l.at == len(l.order) {
			break
		}
		if err := l.nextBatch(); err != nil {
			return err
		}
		if l.Watch != nil {
			l.Watch(l.steps, l.plan.Epochs*l.Batches())
		}
	}
	return l.closeEpoch(ctx, last)
}

// nextBatch trains on the next batch. If it yields a non-finite value, the learned tensors and the figures stay
// unchanged; other tensors, such as Adam's moments, may have changed.
func (l *Loop) nextBatch() error {
	b := Batch{
		Epoch: l.epoch, Number: l.steps + 1, Order: l.order, From: l.at, To: min(l.at+l.plan.Batch, len(l.order)),
		Rate: l.rate(l.steps), sums: l.sums, counts: l.counts,
	}
	if err := l.method.Step(&b); err != nil {
		return err
	}
	l.steps++
	l.keeper.changed()
	if l.at = b.To; b.Last() {
		l.now.LearnRate = b.Rate
	}
	return nil
}

// rate returns the learning rate after the given number of steps.
func (l *Loop) rate(steps int) float64 {
	if !l.plan.Decay {
		return l.plan.LearnRate
	}
	total := float64(l.plan.Epochs * l.Batches())
	return l.plan.LearnRate * math.Max(0, 1-float64(steps)/total)
}

// closeEpoch validates if it is time, and appends the epoch to the history. began is its start time.
func (l *Loop) closeEpoch(ctx context.Context, began time.Time) error {
	e := l.now
	e.Number, e.Pending = l.epoch+1, l.plan.Epochs-l.epoch-1
	e.NDCG, e.Recall = math.NaN(), math.NaN()
	e.Figures = slices.Clone(l.sums)
	for k, n := range l.counts {
		if n > 0 {
			e.Figures[k] /= float64(n)
		}
	}
	if l.plan.Held != nil && (e.Number%l.plan.Every == 0 || e.Pending == 0) {
		if err := l.fetch(); err != nil {
			return err
		}
		r, err := eval.Evaluate(ctx, l.method.Scorer(), l.plan.Train, l.plan.Held,
			eval.Options{Ks: []int{10}, Workers: l.plan.Workers})
		if err != nil {
			return err
		}
		e.NDCG, e.Recall = r.NDCG[0], r.Recall[0]
		l.stale++
		if l.best == nil || math.IsNaN(l.best.NDCG) || e.NDCG > l.best.NDCG {
			l.remember(e.Number, e.NDCG)
			l.stale, e.Best = 0, true
		}
	}
	e.Seconds += time.Since(began).Seconds()
	l.history = append(l.history, e)
	l.epoch, l.at, l.now = e.Number, 0, Epoch{}
	clear(l.sums)
	clear(l.counts)
	l.keeper.changed()
	return nil
}

// fetch copies the state of a Remote method to its tensors.
func (l *Loop) fetch() error {
	if m, ok := l.method.(Remote); ok {
		return m.Fetch()
	}
	return nil
}

// remember copies the learned tensors into best, reusing its memory.
func (l *Loop) remember(epoch int, ndcg float64) {
	if l.best == nil {
		l.best = l.emptyBest()
	}
	l.best.Epoch, l.best.NDCG = epoch, ndcg
	k := 0
	l.method.Tensors(func(_ string, values []float32, learned bool) {
		if learned {
			copy(l.best.values[k], values)
			k++
		}
	})
}

// emptyBest allocates a copy of the learned tensors.
func (l *Loop) emptyBest() *Best {
	b := &Best{}
	l.method.Tensors(func(name string, values []float32, learned bool) {
		if learned {
			b.names, b.values = append(b.names, name), append(b.values, make([]float32, len(values)))
		}
	})
	return b
}
