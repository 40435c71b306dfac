package train

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/calibrate"
	"github.com/pmlam/pmlam/core/train/choose"
	"github.com/pmlam/pmlam/core/train/itemlinks"
	"github.com/pmlam/pmlam/core/training"
)

// Learned is what one training learned, with the item links that stand beside the distance.
type Learned struct {
	*pmlam.Result
	Links *model.ItemLinks // nil: the settings have none
	training.Outcome
}

// learned is what one training of a Run learned.
type learned struct {
	*pmlam.Result
	training.Outcome
	train  *dataset.Matrix  // what it learned from
	left   []int            // users of whom it learned nothing, to be calibrated on; nil: none
	links  *model.ItemLinks // nil: the settings have none
	report *eval.Report     // nil: not measured
}

// Learn makes one training on likes (U×I) with o.Settings as they are and finds the item links: it is the step of Run
// that neither chooses nor measures nor calibrates, and does not read the Options for these. Where the training was
// stopped or diverged, what was learned until then comes with the error; nil where that is nothing.
func Learn(ctx context.Context, d *dataset.Dataset, likes *dataset.Matrix, o Options) (*Learned, error) {
	o, err := o.complete(d)
	if err != nil {
		return nil, err
	}
	r := newRun(o, d)
	l, err := r.learnAndMeasure(ctx, Training{Purpose: Keeping}, dataset.Split{Train: likes}, nil)
	if l == nil {
		return nil, err
	}
	return &Learned{l.Result, l.links, l.Outcome}, err
}

// learnAndMeasure trains on one part of a split, without the users left, and measures on the other, where there is one.
// Where the training was stopped or diverged, what was learned until then is returned with the error; nil where that is
// nothing.
func (r *run) learnAndMeasure(ctx context.Context, t Training, split dataset.Split, left []int) (*learned, error) {
	l, err := r.learn(ctx, t, split.Train, left)
	if l == nil {
		return nil, err
	}
	if l.links = r.Links; l.links == nil {
		// Where ctx ended too: without its item links the model would not be what its settings say.
		links, failed := Links(context.WithoutCancel(ctx), l.train, &r.settings, r.Workers)
		if failed != nil {
			return nil, errors.Join(err, failed)
		}
		l.links = links
	}
	if split.Test == nil || errors.Is(err, context.Canceled) {
		return l, err
	}
	report, failed := eval.Evaluate(ctx, r.scorer(l, split.Train), split.Train, split.Test, eval.Options{
		Workers: r.Workers, Progress: func(done, all int) { r.emit(Evaluating{done, all}) },
	})
	if failed != nil {
		return l, errors.Join(err, failed)
	}
	r.emit(Evaluated{report})
	l.report = report
	return l, err
}

// scorer ranks by what was learned: by distance alone on the device, where there is one, with links on the processor.
func (r *run) scorer(l *learned, history *dataset.Matrix) eval.Scorer {
	if l.links == nil {
		return r.Device.Scorer(l.Users, l.Items)
	}
	return itemlinks.NewScorer(eval.NewW2(l.Users, l.Items), l.links, history)
}

// Links finds the item-item part of the settings in likes (U×I); nil where they have none.
func Links(ctx context.Context, likes *dataset.Matrix, s *Settings, workers int) (*model.ItemLinks, error) {
	if s.ItemPart == choose.NoItemPart {
		return nil, nil
	}
	links, err := choose.Recipe(s).Build(ctx, likes, workers)
	if err != nil {
		return nil, fmt.Errorf("finding the item-item part: %w", err)
	}
	links.Gamma = float32(s.ItemWeight)
	return links, nil
}

// learn trains on all (U×I) without the users left, who get the rows that their likes make them; from the checkpoints
// where there are any, and until the time is over. What it returns with an error is as in learnAndMeasure; that the
// time is over is no error.
func (r *run) learn(ctx context.Context, t Training, all *dataset.Matrix, left []int) (l *learned, err error) {
	likes := all
	if left != nil {
		likes = calibrate.Without(all, left)
	}
	defer collectSooner(likes, r.settings.Dim)()
	long := r.long(t)
	trainer, err := pmlam.New(ctx, likes, r.settings.Config, r.Workers)
	if err == nil && r.initial != nil {
		err = trainer.Begin(r.initial)
	}
	if err != nil {
		return nil, err
	}
	trainer.Use(r.Device)
	trainer.Watch = func(done, all int) { r.emit(BatchDone{done, all}) }
	l = &learned{train: likes, left: left}
	r.emit(TrainingBegan{t, r.settings, long.Until})
	l.Outcome, err = trainer.RunLong(ctx, long, func(ctx context.Context, report func(training.Epoch)) (err error) {
		l.Result, err = trainer.Run(ctx, report)
		return err
	})
	r.emit(TrainingEnded{l.Outcome, r.settings})
	if err != nil && (l.Epochs == 0 || l.Result == nil || errors.As(err, new(*training.CollapseError))) {
		return nil, err // no result: the device failed; a collapsed one is worth nothing
	}
	l.Compose(left, all, r.settings.Config)
	return l, err
}

// long returns how a training is run.
func (r *run) long(t Training) training.Long {
	l := training.Long{
		Curves:  t.folder(r.Curves),
		Resumed: func(from training.Resumed) { r.emit(TrainingResumed{from}) },
		Report:  func(e training.Epoch) { r.emit(EpochDone{e}) },
		Note:    func(text string) { r.emit(Problem{text}) },
		Explain: r.Explain,
	}
	if c := r.Checkpoints; c != nil {
		l.Checkpoints = training.Checkpoints{Folder: t.folder(c.folder), Every: c.every, Fresh: c.fresh}
	}
	if r.MaxTime > 0 { // all trainings get the same share of it
		l.Until = time.Now().Add(max(r.MaxTime/time.Duration(r.trainings), 1))
	}
	return l
}

// collectSooner lets the heap of a large training grow by a quarter instead of to twice its live size before a garbage
// collection: nearly all of it is tables without pointers, which cost nothing to scan. undo restores the setting.
func collectSooner(likes *dataset.Matrix, dim int) (undo func()) {
	const large = 1 << 30
	if bytes := 12 * 2 * dim * (likes.Rows() + likes.Cols); bytes < large || os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(25)
	return func() { debug.SetGCPercent(before) }
}
