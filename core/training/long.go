package training

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

// Long says how a training that may take hours is run (Loop.RunLong). The zero value runs it to its end and keeps
// nothing.
type Long struct {
	Checkpoints Checkpoints // where Folder is "", none are kept
	Until       time.Time   // the training ends then at the latest; zero: when it is done
	Curves      string      // folder for the learning curves (WriteFiles); "": none

	Resumed func(Resumed)     // called before the first step, where checkpoints are kept; may be nil
	Report  func(Epoch)       // called after every epoch; may be nil
	Note    func(text string) // called with problems that do not stop the training, such as a full disk; may be nil

	// Explain words a StoppedError; nil: as it stands there.
	Explain func(*StoppedError) string
}

// Outcome is how far a training came, and in what time.
type Outcome struct {
	Epochs  int     // that were trained
	Resumed int     // of these, before this run
	Seconds float64 // that they took, validations included
	Over    bool    // Long.Until ended it
}

// StoppedError says that a training ended before its time, and how much there is of it.
type StoppedError struct {
	Err    error // the context's, a *NonFiniteError, that of a device; context.DeadlineExceeded of Long.Until
	Epochs int   // that were over; 0: nothing was learned
	Kept   bool  // checkpoints are kept, from which the same training goes on

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

// Cause returns the context's error that err wraps, else err itself.
func Cause(err error) error {
	for _, c := range []error{context.Canceled, context.DeadlineExceeded} {
		if errors.Is(err, c) {
			return c
		}
	}
	return err
}

// Where returns the text of a stopped training's error without that of the context: "the training was stopped in epoch
// 3".
func (e *StoppedError) Where() string {
	return strings.TrimSuffix(e.Err.Error(), ": "+Cause(e.Err).Error())
}

// RunLong takes the training through its epochs: from the checkpoints where there are any, until o.Until, with learning
// curves. run is what Run is of the method, such as pmlam.Trainer.Run.
//
// That the time is over is no error where an epoch was finished. Any other end before the last epoch is a
// *StoppedError; what was learned until then is the method's to give, and nothing where the outcome has no epoch.
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

// curves writes the learning curves of a training now and then.
type curves struct {
	folder string // "": none
	of     *Loop
	note   func(text string)
	last   time.Time
	failed bool
}

// curvesEvery is how often they are drawn: that takes a tenth of a second.
const curvesEvery = 10 * time.Second

// write draws the curves where it is time to, or now. A picture that cannot be written does not end the training; one
// note says so.
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
