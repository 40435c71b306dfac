package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"time"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/training"
)

// epochLoop is the training of any method by epochs.
type epochLoop struct {
	*training.Loop
	epochs   int // at most
	describe func(e training.Epoch) string
	run      func(ctx context.Context, report func(training.Epoch)) error
}

// epochTimes are the number and time of a training's epochs.
type epochTimes struct {
	epochs  int     // that were trained
	resumed int     // of these, before this run
	seconds float64 // that they took
	over    bool    // --max-time ended it
}

// runEpochs runs the training that begin prepares: with a progress bar, with checkpoints and learning curves where they
// are asked for, until --max-time. That the time is over is no error, if an epoch was finished; where there is an error
// and no epoch, nothing was learned.
func (t *trainRun) runEpochs(ctx context.Context, what string, begin func() (*epochLoop, error)) (p epochTimes,
	err error) {
	timed, until := ctx, time.Time{}
	if limit := t.limit(); limit > 0 {
		until = time.Now().Add(limit)
		var cancel context.CancelFunc
		timed, cancel = context.WithDeadline(ctx, until)
		defer cancel()
	}
	c, err := begin()
	if err != nil {
		return p, err
	}
	bar := t.StepsBar(what, "batches")
	bar.Until = until
	if err := t.prepare(c, bar, what); err != nil {
		bar.Done()
		return p, err
	}
	p.resumed = len(c.History())
	note := ""
	c.Watch = func(done, total int) { bar.Set(int64(done), int64(total), note) }
	curves := &curves{folder: t.folder(t.CurvesFolder, what), of: c.Loop, say: func(text string) {
		bar.Say("%s", text)
	}}
	err = c.run(timed, func(e training.Epoch) {
		note = c.describe(e)
		bar.Set(bar.At, bar.Of, note)
		curves.write(false)
	})
	bar.Done()
	curves.write(true)
	for _, e := range c.History() {
		p.epochs = e.Number
		p.seconds += e.Seconds
	}
	goesOn := ""
	if t.Checkpoint != "" {
		goesOn = "; the same command goes on from there"
	}
	if errors.As(err, new(*pmlam.LostError)) {
		if goesOn == "" {
			goesOn = "; with --checkpoint it would go on from there"
		}
		return p, fmt.Errorf("%w%s", err, goesOn)
	}
	const nothing = "before its first epoch was over, so there is nothing to save"
	switch {
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		if p.epochs == 0 {
			return p, fmt.Errorf("the training was stopped as --max-time says, %s%s", nothing, goesOn)
		}
		t.Notef("--max-time is over: the training was stopped in epoch %d of %d%s", p.epochs+1, c.epochs, goesOn)
		p.over = true
		return p, nil
	case errors.Is(err, context.Canceled):
		if p.epochs == 0 {
			return p, fmt.Errorf("the training was stopped %s%s: %w", nothing, goesOn, context.Canceled)
		}
		return p, fmt.Errorf("%s%s: %w", strings.TrimSuffix(err.Error(), ": "+context.Canceled.Error()), goesOn,
			context.Canceled)
	case err != nil && p.epochs == 0:
		return p, fmt.Errorf("%w (%s)", err, nothing)
	}
	return p, err
}

// validated describes an epoch's validation, where there was one.
func validated(e training.Epoch) string {
	if math.IsNaN(e.NDCG) {
		return ""
	}
	return fmt.Sprintf(", validation NDCG@10 %.4f", e.NDCG)
}

// prepare restores a training from its checkpoints, where there are any.
func (t *trainRun) prepare(c *epochLoop, bar *cli.Bar, what string) error {
	if t.Checkpoint == "" {
		bar.Set(0, 0, "")
		return nil
	}
	r, err := c.Keep(training.Checkpoints{
		Folder: t.folder(t.Checkpoint, what), Every: t.Every, Fresh: t.Fresh,
		Note: func(text string) { bar.Say("%s", text) },
	})
	if err != nil {
		return err
	}
	bar.StartAt(int64(r.Epoch*r.Batches+r.Batch), int64(c.epochs*r.Batches))
	switch {
	case r.Path == "":
	case r.Finished:
		t.Notef("%s: the training is at its end already, after epoch %d", r.Path, r.Epoch)
	case r.Batch == 0:
		t.Notef("%s: the training goes on after epoch %d", r.Path, r.Epoch)
	default:
		t.Notef("%s: the training goes on in epoch %d, after %d of its %d batches", r.Path, r.Epoch+1, r.Batch,
			r.Batches)
	}
	return nil
}

// folder returns where a training's files go; those of the measuring and of the calibrating trainings have subfolders.
func (t *trainRun) folder(base, what string) string {
	fold, calibrates := strings.CutPrefix(what, calibrating+" ")
	switch {
	case base == "":
	case what == measuring:
		return filepath.Join(base, "measured")
	case calibrates: // "1 of 4"
		number, _, _ := strings.Cut(fold, " ")
		return filepath.Join(base, "calibrated", number)
	}
	return base
}

// limit returns how long a training may take; 0: no limit. All trainings of a run get the same share of --max-time.
func (t *trainRun) limit() time.Duration {
	if t.MaxTime == 0 {
		return 0
	}
	return max(t.MaxTime/time.Duration(max(t.trainings, 1)), 1)
}

// curves writes the learning curves of a training now and then.
type curves struct {
	folder string // "": none
	of     *training.Loop
	say    func(text string)
	last   time.Time
	failed bool
}

// curvesEvery is how often they are drawn: that takes a tenth of a second.
const curvesEvery = 10 * time.Second

// write draws the curves where it is time to, or now. A picture that cannot be written does not end the training; a
// notice says so once.
func (c *curves) write(now bool) {
	if c.folder == "" || !now && time.Since(c.last) < curvesEvery {
		return
	}
	if err := training.WriteFiles(c.folder, c.of.Figures(), c.of.History()); err != nil && !c.failed {
		c.failed = true
		c.say(err.Error())
	}
	c.last = time.Now()
}
