package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime/debug"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/calibrate"
	"github.com/pmlam/pmlam/core/training"
)

// The names of trainings: the one that is kept, the one that is only measured, and those that calibrate the first,
// which have their number behind the name.
const (
	keeping     = "training"
	measuring   = "measuring"
	calibrating = "calibrating"
	layingOut   = "laying out"
)

// learn trains on all (U×I) without the users left, who get the rows that their likes make them; from the checkpoints
// where there are any, and until --max-time. What it returns with an error is as in trainAndMeasure; that the time is
// over is no error.
func (t *trainRun) learn(ctx context.Context, what string, all *dataset.Matrix, left []int, cfg pmlam.Config) (
	l *trainedModel, err error) {
	train := all
	if left != nil {
		train = calibrate.Without(all, left)
	}
	defer collectSooner(train, cfg)()
	l = &trainedModel{train: train, left: left}
	l.epochTimes, err = t.runEpochs(ctx, what, func() (*epochLoop, error) {
		trainer, err := pmlam.New(ctx, train, cfg, t.Workers)
		if err == nil && t.Initial != nil {
			err = trainer.Begin(t.Initial)
		}
		if err != nil {
			return nil, err
		}
		trainer.Use(t.Device.Device)
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
	l.Compose(left, all, cfg)
	return l, err
}

// collectSooner lets the heap of a large training grow by a quarter instead of to twice its live size before a garbage
// collection: nearly all of it is tables without pointers, which cost nothing to scan. undo restores the setting.
func collectSooner(train *dataset.Matrix, cfg pmlam.Config) (undo func()) {
	const large = 1 << 30
	if bytes := 12 * 2 * cfg.Dim * (train.Rows() + train.Cols); bytes < large || os.Getenv("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(25)
	return func() { debug.SetGCPercent(before) }
}

// describe summarises an epoch.
func describe(e training.Epoch, cfg pmlam.Config) string {
	s := fmt.Sprintf("epoch %d of %d: loss %.4f", e.Number, cfg.Epochs, e.Figures[pmlam.FigureInner])
	if cfg.Margin == pmlam.Adaptive {
		s += fmt.Sprintf(", margin %.3f", e.Figures[pmlam.FigureMargin])
	}
	return s + validated(e)
}
