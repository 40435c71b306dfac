package training

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Long configures a training that may take hours (Loop.RunLong). The zero value runs to the end and writes nothing.
type Long struct {
	Checkpoints Checkpoints // an empty Folder writes none
	Until       time.Time   // deadline of the training; zero: none
	Curves      string      // folder for the learning curves (WriteFiles); "": none

	Resumed func(Resumed)     // called before the first step, if checkpoints are written; may be nil
	Report  func(Epoch)       // called after every epoch; may be nil
	Note    func(text string) // receives problems that do not stop the training, such as a full disk; may be nil

	// Explain words a StoppedError; nil: its own text.
	Explain func(*StoppedError) string
}

// Outcome describes the progress of a training and its duration.
type Outcome struct {
	Epochs  int     // epochs completed
	Resumed int     // epochs completed by earlier runs
	Seconds float64 // duration of the epochs, including validation
	Over    bool    // Long.Until ended it
}

// StoppedError reports that a training ended early, and how far it got.
type StoppedError struct {
	Err    error // of the context, a device or a *NonFiniteError; context.DeadlineExceeded from Long.Until
	Epochs int   // completed; 0: nothing was learned
	Kept   bool  // checkpoints were written, and the same training can resume from them

	text string
}

func (e *StoppedError) Error() string {
	switch canceled := errors.Is(e.Err, context.Canceled) || errors.Is(e.Err, context.DeadlineExceeded); {
	case e.text != "":
		return e.text
	case e.Epochs > 0:
		return e.Err.Error()
	case canceled:
		return "the training was stopped before its first epoch was over, so there is nothing to save: " +
			Cause(e.Err).Error()
	}
	return fmt.Sprintf("%v (before its first epoch was over, so there is nothing to save)", e.Err)
}

func (e *StoppedError) Unwrap() error { return e.Err }

// Cause returns the context's error that err wraps, or err itself.
func Cause(err error) error {
	for _, c := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, c) {
			return c
		}
	}
	return err
}

// Where returns the text of a stopped training's error without the context's: "the training was stopped in epoch 3".
func (e *StoppedError) Where() string {
	return strings.TrimSuffix(e.Err.Error(), ": "+Cause(e.Err).Error())
}

// RunLong runs the training: from its checkpoints, if there are any, until o.Until, writing learning curves. run is the
// Run method of the trainer, such as pmlam.Trainer.Run.
//
// Reaching the deadline is not an error if an epoch was completed. Any other early end is a *StoppedError. The caller
// gets the result so far from the method; it has learned nothing if the outcome has no epochs.
func (l *Loop) RunLong(ctx context.Context, o Long, run func(context.Context, func(Epoch)) error) (out Outcome,
	err error) {
	if o.Checkpoints.Folder != "" {
		o.Checkpoints.Note = o.note
		from, err := l.Keep(o.Checkpoints)
		if err != nil {
			return out, err
		}
		if o.Resumed != nil {
			o.Resumed(from)
		}
	}
	timed := ctx
	if !o.Until.IsZero() {
		var cancel context.CancelFunc
		timed, cancel = context.WithDeadline(ctx, o.Until)
		defer cancel()
	}
	out.Resumed = len(l.History())
	curves := &curves{folder: o.Curves, of: l, note: o.note}
	err = run(timed, func(e Epoch) {
		if o.Report != nil {
			o.Report(e)
		}
		curves.write(false)
	})
	curves.write(true)
	for _, e := range l.History() {
		out.Epochs = e.Number
		out.Seconds += e.Seconds
	}
	if err == nil {
		return out, nil
	}
	if ctx.Err() == nil && errors.Is(err, context.DeadlineExceeded) && out.Epochs > 0 {
		out.Over = true
		return out, nil
	}
	stopped := &StoppedError{Err: err, Epochs: out.Epochs, Kept: o.Checkpoints.Folder != ""}
	if o.Explain != nil {
		stopped.text = o.Explain(stopped)
	}
	return out, stopped
}

func (o *Long) note(text string) {
	if o.Note != nil {
		o.Note(text)
	}
}

// curves writes the learning curves of a training from time to time.
type curves struct {
	folder string // "": none
	of     *Loop
	note   func(text string)
	last   time.Time
	failed bool
}

// curvesEvery is the time between writes, which take a tenth of a second.
const curvesEvery = 10 * time.Second

// write writes the curves if they are due, or if now is set. A failure does not end the training; it is noted once.
func (c *curves) write(now bool) {
	if c.folder == "" || !now && time.Since(c.last) < curvesEvery {
		return
	}
	if err := WriteFiles(c.folder, c.of.Figures(), c.of.History()); err != nil && !c.failed {
		c.failed = true
		c.note(err.Error())
	}
	c.last = time.Now()
}
