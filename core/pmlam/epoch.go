package pmlam

import (
	"context"
	"fmt"
	"math"
	"time"
)

// Epoch is what is known after an epoch.
type Epoch struct {
	Number    int        // from 1
	Inner     [3]float64 // mean inner loss per pair: user-item, user-user, item-item
	Outer     [3]float64 // mean outer loss per pair, where there is a network
	Margin    float64    // mean user-item margin of the last batch; the fixed one where it is fixed
	LearnRate float64    // of the last step
	NDCG      float64    // NDCG@10 on the validation part; NaN where it was not measured
	Recall    float64    // Recall@10, likewise
	Seconds   float64    // that it took, its validation included
	Best      bool       // this was the best epoch so far
	Pending   int        // epochs that are still to come at most
}

// batches returns the number of batches in an epoch.
func (t *Trainer) batches() int { return t.batchesIn(len(t.pairs)) }

// batchesIn returns how many batches the first pairs of an epoch make.
func (t *Trainer) batchesIn(pairs int) int { return (pairs + t.cfg.Batch - 1) / t.cfg.Batch }

// over reports whether there is nothing left to do: all epochs are done, or patience is at its end.
func (t *Trainer) over() bool {
	return t.epoch >= t.cfg.Epochs || t.cfg.Patience > 0 && t.stale >= t.cfg.Patience
}

// History returns the epochs that are done, also those before the checkpoint that the training goes on from. The
// slice belongs to the trainer.
func (t *Trainer) History() []Epoch { return t.history }

// Run trains until the epochs are over, patience is, or ctx ends, and returns the best state: by NDCG@10 on the
// validation part where it was measured, else the present one. report, if not nil, hears of every epoch.
//
// Where ctx ended, which is noticed between two batches, the result is that of the training so far and the error wraps
// ctx's: both are given. So they are with a *NonFiniteError; the present state is then that before the batch which
// made it. With checkpoints the last one is written before Run returns, but never of a state that is not finite.
//
// The result shares the trainer's memory: there is no second copy of the table.
func (t *Trainer) Run(ctx context.Context, report func(Epoch)) (*Result, error) {
	for !t.over() {
		if err := t.runEpoch(ctx); err != nil {
			if ctx.Err() != nil {
				err = t.stopped(ctx.Err())
			}
			return t.result(), err
		}
		if report != nil {
			report(t.history[len(t.history)-1])
		}
	}
	t.keeper.saveOrSay(t)
	return t.result(), nil
}

// stopped keeps a last checkpoint and says where the training stopped.
func (t *Trainer) stopped(cause error) error {
	if err := t.keeper.save(t); err != nil {
		return fmt.Errorf("the training was stopped in epoch %d, and its last checkpoint could not be written (%v): %w", t.epoch+1, err, cause)
	}
	return fmt.Errorf("the training was stopped in epoch %d: %w", t.epoch+1, cause)
}

// runEpoch does what is left of the epoch under way.
func (t *Trainer) runEpoch(ctx context.Context) error {
	t.shuffle()
	last := time.Now()
	for {
		now := time.Now()
		t.now.Seconds += now.Sub(last).Seconds()
		last = now
		t.keeper.saveIfDue(t)
		if err := ctx.Err(); err != nil {
			return err
		}
		if t.at == len(t.order) {
			break
		}
		if err := t.nextBatch(); err != nil {
			return err
		}
		if t.Watch != nil {
			t.Watch(t.steps, t.cfg.Epochs*t.batches())
		}
	}
	return t.closeEpoch(ctx, last)
}

// nextBatch trains on the next batch. Where anything in it is not finite, it is as if it had never been, but for the
// state of Adam.
func (t *Trainer) nextBatch() error {
	to := min(t.at+t.cfg.Batch, len(t.order))
	t.sample(t.at, to)
	var active []*task
	var which []int
	for k, task := range t.tasks {
		if task != nil && len(task.batch.positive) > 0 {
			active, which = append(active, task), append(which, k)
		}
	}
	t.spareNetworks()
	inner, outer := t.run(active)
	if err := t.finite(which, inner, outer); err != nil {
		t.undo()
		return err
	}
	e := &t.now
	for i, k := range which {
		e.Inner[k] += inner[i]
		e.Outer[k] += outer[i]
		t.count[k] += len(active[i].batch.positive)
	}
	t.keeper.changed()
	if t.at = to; to == len(t.order) {
		e.Margin = t.cfg.MarginValue
		if ui := t.tasks[userItem]; ui.net != nil {
			e.Margin = ui.meanMargin()
		}
		e.LearnRate = t.learnRate()
	}
	return nil
}

// closeEpoch validates where it is time and enters the epoch into the history. began is when.
func (t *Trainer) closeEpoch(ctx context.Context, began time.Time) error {
	e := t.now
	e.Number, e.Pending = t.epoch+1, t.cfg.Epochs-t.epoch-1
	e.NDCG, e.Recall = math.NaN(), math.NaN()
	for k, n := range t.count {
		if n > 0 {
			e.Inner[k] /= float64(n)
			e.Outer[k] /= float64(n)
		}
	}
	if t.held != nil && (e.Number%t.cfg.Every == 0 || e.Pending == 0) {
		var err error
		if e.NDCG, e.Recall, err = t.validate(ctx); err != nil {
			return err
		}
		t.stale++
		if t.best == nil || math.IsNaN(t.best.ndcg) || e.NDCG > t.best.ndcg {
			t.remember(e.Number, e.NDCG)
			t.stale, e.Best = 0, true
		}
	}
	e.Seconds += time.Since(began).Seconds()
	t.history = append(t.history, e)
	t.epoch, t.at, t.now, t.count = e.Number, 0, Epoch{}, [3]int{}
	t.keeper.changed()
	return nil
}
