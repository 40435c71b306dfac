package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/training"
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
func (t *trainRun) learn(ctx context.Context, what string, train *dataset.Matrix, cfg pmlam.Config) (*trainedModel,
	error) {
	defer collectSooner(train, cfg)()
	l := &trainedModel{train: train}
	var err error
	l.epochTimes, err = t.runEpochs(ctx, what, func() (*epochLoop, error) {
		trainer, err := pmlam.New(ctx, train, cfg, t.workers)
		if err == nil && t.initial != nil {
			err = trainer.Begin(t.initial)
		}
		if err != nil {
			return nil, err
		}
		trainer.Use(t.device.Device)
		return &epochLoop{
			Loop: trainer.Loop, epochs: cfg.Epochs, describe: func(e training.Epoch) string { return describe(e, cfg) },
			run: func(ctx context.Context, report func(training.Epoch)) (err error) {
				l.Result, err = trainer.Run(ctx, report)
				return err
			},
		}, nil
	})
	if err != nil && (l.epochs == 0 || l.Result == nil || errors.As(err, new(*training.CollapseError))) {
		return nil, err // no result: the device failed; a collapsed one is worth nothing
	}
	return l, err
}

// collectSooner lets the memory of a large training grow by a quarter, not to twice what is in use, before it is
// collected: nearly all of it is tables without pointers, which cost nothing to look through. What it returns undoes
// that.
func collectSooner(train *dataset.Matrix, cfg pmlam.Config) (undo func()) {
	const large = 1 << 30
	if bytes := 12 * 2 * cfg.Dim * (train.Rows() + train.Cols); bytes < large || os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(25)
	return func() { debug.SetGCPercent(before) }
}

// describe tells of an epoch in a few words.
func describe(e training.Epoch, cfg pmlam.Config) string {
	s := fmt.Sprintf("epoch %d of %d: loss %.4f", e.Number, cfg.Epochs, e.Figures[pmlam.FigureInner])
	if cfg.Margin == pmlam.Adaptive {
		s += fmt.Sprintf(", margin %.3f", e.Figures[pmlam.FigureMargin])
	}
	return s + validated(e)
}
