package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/training"
	"github.com/pmlam/pmlam/core/training/curve"
)

// What a training is called: the one that is kept, one that is only there to be measured, and one that is only there to
// calibrate the first.
const (
	keeping     = "training"
	measuring   = "measuring"
	calibrating = "calibrating"
)

// learn trains, from where checkpoints say, and as long as there is time. What comes with an error is as teach says.
// That the time is over is none.
func (t *trainRun) learn(ctx context.Context, what string, train *dataset.Matrix, cfg pmlam.Config) (*lesson, error) {
	defer lean(train, cfg)()
	timed, until := ctx, time.Time{}
	if limit := t.limit(); limit > 0 {
		until = time.Now().Add(limit)
		var cancel context.CancelFunc
		timed, cancel = context.WithDeadline(ctx, until)
		defer cancel()
	}
	trainer, err := pmlam.New(ctx, train, cfg, t.workers)
	if err != nil {
		return nil, err
	}
	bar := t.stepsBar(what)
	bar.until = until
	if err := t.prepare(trainer, bar, what, cfg); err != nil {
		bar.done()
		return nil, err
	}
	l := &lesson{train: train, resumed: len(trainer.History())}
	note := ""
	trainer.Watch = func(done, total int) { bar.set(int64(done), int64(total), note) }
	curves := &curves{folder: t.folder(t.curves, what), trainer: trainer, say: bar.say}
	l.Result, err = trainer.Run(timed, func(e training.Epoch) {
		note = describe(e, cfg)
		bar.set(bar.at, bar.of, note)
		curves.write(false)
	})
	bar.done()
	curves.write(true)
	for _, e := range trainer.History() {
		l.epochs = e.Number
		l.seconds += e.Seconds
	}
	goesOn := ""
	if t.checkpoint != "" {
		goesOn = "; the same command goes on from there"
	}
	const nothing = "before its first epoch was over, so there is nothing to save"
	switch {
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		if l.epochs == 0 {
			return nil, fmt.Errorf("the training was stopped as --max-time says, %s%s", nothing, goesOn)
		}
		t.notef("--max-time is over: the training was stopped in epoch %d of %d%s", l.epochs+1, cfg.Epochs, goesOn)
		l.over = true
		return l, nil
	case errors.Is(err, context.Canceled):
		err = fmt.Errorf("%s%s: %w", strings.TrimSuffix(err.Error(), ": "+context.Canceled.Error()), goesOn, context.Canceled)
		if l.epochs == 0 {
			return nil, fmt.Errorf("the training was stopped %s%s: %w", nothing, goesOn, context.Canceled)
		}
	case err != nil && l.epochs == 0:
		return nil, fmt.Errorf("%w (%s)", err, nothing)
	}
	return l, err
}

// lean lets the memory of a large training grow by a quarter, not to twice what is in use, before it is collected: nearly
// all of it is tables without pointers, which cost nothing to look through. What it returns undoes that.
func lean(train *dataset.Matrix, cfg pmlam.Config) (undo func()) {
	const large = 1 << 30
	if bytes := 12 * 2 * cfg.Dim * (train.Rows() + train.Cols); bytes < large || os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(25)
	return func() { debug.SetGCPercent(before) }
}

// prepare takes a new training to where it begins, or goes on.
func (t *trainRun) prepare(trainer *pmlam.Trainer, bar *bar, what string, cfg pmlam.Config) error {
	if t.beginning != nil {
		if err := trainer.Begin(t.beginning); err != nil {
			return err
		}
	}
	if t.checkpoint == "" {
		bar.set(0, 0, "")
		return nil
	}
	r, err := trainer.Keep(training.Checkpoints{
		Folder: t.folder(t.checkpoint, what), Every: t.every, Fresh: t.fresh,
		Note: func(text string) { bar.say("%s", text) },
	})
	if err != nil {
		return err
	}
	bar.startAt(int64(r.Epoch*r.Batches+r.Batch), int64(cfg.Epochs*r.Batches))
	switch {
	case r.Path == "":
	case r.Finished:
		t.notef("%s: the training is at its end already, after epoch %d", r.Path, r.Epoch)
	case r.Batch == 0:
		t.notef("%s: the training goes on after epoch %d", r.Path, r.Epoch)
	default:
		t.notef("%s: the training goes on in epoch %d, after %d of its %d batches", r.Path, r.Epoch+1, r.Batch, r.Batches)
	}
	return nil
}

// folder returns where a training's files go: those of one that is not kept beside the other's.
func (t *trainRun) folder(base, what string) string {
	switch {
	case base == "":
	case what == measuring:
		return filepath.Join(base, "measured")
	case what == calibrating:
		return filepath.Join(base, "calibrated")
	}
	return base
}

// limit returns how long a training may take; 0 for ever. All get the same share, so that what is measured, and what
// calibrates, was trained as long as what is kept.
func (t *trainRun) limit() time.Duration {
	if t.maxTime == 0 {
		return 0
	}
	return max(t.maxTime/time.Duration(max(t.trainings, 1)), 1)
}

// curves writes the learning curves of a training now and then.
type curves struct {
	folder  string // "": none
	trainer *pmlam.Trainer
	say     func(format string, args ...any)
	last    time.Time
	failed  bool
}

// curvesEvery is how often they are drawn: that takes a tenth of a second.
const curvesEvery = 10 * time.Second

// write draws where it is time to, or now. A picture is no reason to end a training: that it cannot be written is said
// once.
func (c *curves) write(now bool) {
	if c.folder == "" || !now && time.Since(c.last) < curvesEvery {
		return
	}
	if err := curve.WriteFiles(c.folder, c.trainer.Figures(), c.trainer.History()); err != nil && !c.failed {
		c.failed = true
		c.say("%v", err)
	}
	c.last = time.Now()
}

// describe tells of an epoch in a few words.
func describe(e training.Epoch, cfg pmlam.Config) string {
	s := fmt.Sprintf("epoch %d of %d: loss %.4f", e.Number, cfg.Epochs, e.Figures[pmlam.FigureInner])
	if cfg.Margin == pmlam.Adaptive {
		s += fmt.Sprintf(", margin %.3f", e.Figures[pmlam.FigureMargin])
	}
	if !math.IsNaN(e.NDCG) {
		s += fmt.Sprintf(", validation NDCG@10 %.4f", e.NDCG)
	}
	return s
}
