package main

import (
	"context"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/scoring"
)

// work holds the flags and helpers of commands that compute: the number of workers and the device.
type work struct {
	*app
	workers int
	device  device
}

func (w *work) group() *group {
	g := newGroup("Work")
	g.IntVar(&w.workers, "workers", 0, "goroutines; 0: as many as there are processors. No result depends on it")
	g.placeholder("N", "workers")
	return g
}

func (w *work) check() error {
	if w.workers < 0 {
		return usagef("--workers is %d; it must be 0 or more", w.workers)
	}
	return nil
}

// evaluate measures a scorer on a split, with a bar. No ks: the customary ones.
func (w *work) evaluate(ctx context.Context, s eval.Scorer, split dataset.Split, ks []int) (*eval.Report, error) {
	return w.evaluateWith(ctx, s, split, eval.Options{Ks: ks})
}

// evaluateWith is evaluate with further options.
func (w *work) evaluateWith(ctx context.Context, s eval.Scorer, split dataset.Split,
	o eval.Options) (*eval.Report, error) {
	bar := w.stepsBar("evaluating", "users")
	defer bar.done()
	o.Workers, o.Progress = w.workers, func(done, total int) { bar.set(int64(done), int64(total), "") }
	return eval.Evaluate(ctx, s, split.Train, split.Test, o)
}

// tastes is scoring.Tastes with a bar.
func (w *work) tastes(ctx context.Context, m *model.Model, likes *dataset.Matrix) (*gaussian.Table, error) {
	bar := w.stepsBar("inferring users", "users")
	defer bar.done()
	return scoring.Tastes(ctx, m, likes, w.workers, func(done, total int) { bar.set(int64(done), int64(total), "") })
}

// users is scoring.Users with a bar.
func (w *work) users(ctx context.Context, m *model.Model, d *dataset.Dataset,
	likes *dataset.Matrix) (users *gaussian.Table, own int, err error) {
	bar := w.stepsBar("inferring users", "users")
	defer bar.done()
	return scoring.Users(ctx, m, d.Users.Strings(), likes, w.workers,
		func(done, total int) { bar.set(int64(done), int64(total), "") })
}
