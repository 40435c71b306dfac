package train

import (
	"context"
	"errors"
	"path/filepath"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Choose returns o.Settings adjusted to likes (U×I), which is the first step of Run. It returns them unchanged if
// Settings.Auto is false.
func Choose(ctx context.Context, d *dataset.Dataset, likes *dataset.Matrix, o Options) (Settings, error) {
	o.NoModel = true
	o, err := o.complete(d)
	if err != nil || !o.Settings.Auto {
		return o.Settings, err
	}
	r := newRun(o, d)
	r.choiceOnly = true
	err = r.choose(ctx, likes)
	return r.settings, err
}

// choose chooses settings for likes, except those set by hand. With checkpoints it journals the trials, and a later run
// continues from them. The caller must pass the training part of a split, because settings must not be chosen on test
// data.
func (r *run) choose(ctx context.Context, likes *dataset.Matrix) error {
	o := choose.AutoOptions{ByHand: r.ByHand, Workers: r.Workers, Device: r.Device,
		NoPart: r.partOnLeft(r.leftOutUsers()), Left: r.strangers(),
		Learned: func(l *pmlam.Result) { r.firstFold = l },
		Report:  func(e choose.AutoEvent) { r.emit(ChoiceWent{e}) }}
	header := choose.NewAutoHeader(likes, r.settings, o)
	if len(header.Space) == 0 {
		return nil // everything was set by hand, for example by the settings of an automatically tuned model
	}
	journal, err := r.journal(header)
	if err != nil {
		return err
	}
	defer journal.Close()
	o.Journal = journal
	r.emit(ChoiceBegan{r.settings})
	started, within := time.Now(), ctx
	if r.MaxTime > 0 { // half of the time for the choice, the rest for the training
		var cancel context.CancelFunc
		within, cancel = context.WithTimeout(ctx, r.MaxTime/2)
		defer cancel()
	}
	chosen, trials, err := choose.Auto(within, likes, r.settings, o)
	if r.MaxTime > 0 {
		r.MaxTime = max(r.MaxTime-time.Since(started), 1)
	}
	r.trials = trials
	ended := ChoiceEnded{From: r.settings, Chosen: chosen, Trials: trials, PriorLater: r.calibrates(&chosen)}
	switch {
	case errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil:
		ended.OutOfTime = true
	case errors.Is(err, context.Canceled):
		ended.Err = &ChoiceStopped{len(trials), journal != nil, err}
	default:
		ended.Err = err
	}
	if ended.Err == nil {
		r.settings = chosen
	}
	r.emit(ended)
	return ended.Err
}

// journal opens the journal of the choice; nil without checkpoints.
func (r *run) journal(h choose.Header) (*choose.Journal, error) {
	if r.Checkpoints == nil {
		return nil, nil
	}
	path := filepath.Join(r.Checkpoints.folder, "choice.jsonl")
	if r.Checkpoints.fresh {
		if err := choose.RemoveJournal(path); err != nil {
			return nil, err
		}
	}
	j, err := choose.OpenJournal(path, h)
	if err != nil {
		return nil, &ChoiceError{err}
	}
	return j, nil
}
