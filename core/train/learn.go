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

// Learned is the result of one training, with its item links.
type Learned struct {
	*pmlam.Result
	Links *model.ItemLinks // nil: the settings ask for none
	training.Outcome
}

// learned is the result of one training within a Run.
type learned struct {
	*pmlam.Result
	training.Outcome
	train  *dataset.Matrix  // the interactions it learned from
	left   []int            // users left out of the training, to calibrate on; nil: none
	links  *model.ItemLinks // nil: the settings ask for none
	report *eval.Report     // nil: not measured
}

// Learn makes one training on likes (U×I) with exactly o.Settings and finds the item links. Unlike Run it neither
// chooses settings, nor measures, nor calibrates, and it ignores the Options for these steps. If the training is
// stopped or diverges, Learn returns the result so far, if any, together with the error.
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

// learnAndMeasure trains on the training part of a split, without the users left, and measures on the test part, if
// any. If the training is stopped or diverges, it returns the result so far, if any, together with the error.
func (r *run) learnAndMeasure(ctx context.Context, t Training, split dataset.Split, left []int) (*learned, error) {
	l, err := r.learn(ctx, t, split.Train, left)
	if l == nil {
		return nil, err
	}
	if l.links = r.Links; l.links == nil {
		// Even if ctx ended: without its item links the model would not match its settings.
		var failed error
		if within := context.WithoutCancel(ctx); r.partOnLeft(left) {
			l.links, failed = r.choosePart(within, l, split.Train)
		} else {
			l.links, failed = Links(within, l.train, &r.settings, r.Workers)
		}
		if failed != nil {
			return nil, errors.Join(err, failed)
		}
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

// scorer ranks with the learned rows: on the device if there is one and distances alone decide, otherwise on the CPU,
// which also adds the links.
func (r *run) scorer(l *learned, history *dataset.Matrix) eval.Scorer {
	if l.links == nil {
		return r.Device.Scorer(l.Users, l.Items)
	}
	return itemlinks.NewScorer(eval.NewW2(l.Users, l.Items), l.links, history)
}

// Links finds the item links for likes (U×I); nil if the settings ask for none.
func Links(ctx context.Context, likes *dataset.Matrix, s *Settings, workers int) (*model.ItemLinks, error) {
	if s.ItemPart == choose.NoItemPart {
		return nil, nil
	}
	links, err := choose.Recipe(s).Build(ctx, likes, workers)
	if err != nil {
		return nil, fmt.Errorf("finding item links: %w", err)
	}
	links.Gamma = float32(s.ItemWeight)
	return links, nil
}

// learn trains on all (U×I) without the users left, whose rows are then composed from their likes. It continues from
// checkpoints if there are any, and stops at the deadline, which is not an error. On an error it returns the same as
// learnAndMeasure.
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
		return nil, err // no result if the device failed; a collapsed one is useless
	}
	l.Compose(left, all, r.settings.Config)
	return l, err
}

// long returns the options of a training's run.
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
	if r.MaxTime > 0 { // divided evenly between the trainings
		l.Until = time.Now().Add(max(r.MaxTime/time.Duration(r.trainings), 1))
	}
	return l
}

// collectSooner makes the garbage collector of a large training run once the heap has grown by a quarter, instead of
// doubled. Almost all of that heap is tables without pointers, which cost nothing to scan. undo restores the setting.
func collectSooner(likes *dataset.Matrix, dim int) (undo func()) {
	const large = 1 << 30
	if bytes := 12 * 2 * dim * (likes.Rows() + likes.Cols); bytes < large || os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(25)
	return func() { debug.SetGCPercent(before) }
}
