package cli

import (
	"context"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/scoring"
)

// Work holds the flags and helpers of commands that compute: the number of workers and the device.
type Work struct {
	*App
	Workers int
	Device  Device
}

// Group returns the flags except the device.
func (w *Work) Group() *Group {
	g := NewGroup("Work")
	g.IntVar(&w.Workers, "workers", 0, "goroutines; 0: one per processor. Results do not depend on it")
	g.Placeholder("N", "workers")
	return g
}

// Check returns a usage error for wrong flags.
func (w *Work) Check() error {
	if w.Workers < 0 {
		return Usagef("--workers is %d; it must be 0 or more", w.Workers)
	}
	return nil
}

// Evaluate measures a scorer on a split, with a bar. Without ks it uses the default lengths.
func (w *Work) Evaluate(ctx context.Context, s eval.Scorer, split dataset.Split, ks []int) (*eval.Report, error) {
	return w.EvaluateWith(ctx, s, split, eval.Options{Ks: ks})
}

// EvaluateWith is Evaluate with further options.
func (w *Work) EvaluateWith(ctx context.Context, s eval.Scorer, split dataset.Split,
	o eval.Options) (*eval.Report, error) {
	bar := w.StepsBar("evaluating", "users")
	defer bar.Done()
	o.Workers, o.Progress = w.Workers, func(done, total int) { bar.Set(int64(done), int64(total), "") }
	return eval.Evaluate(ctx, s, split.Train, split.Test, o)
}

// Tastes is scoring.Tastes with a bar.
func (w *Work) Tastes(ctx context.Context, m *model.Model, likes *dataset.Matrix) (*gaussian.Table, error) {
	bar := w.StepsBar("inferring users", "users")
	defer bar.Done()
	return scoring.Tastes(ctx, m, likes, w.Workers, func(done, total int) { bar.Set(int64(done), int64(total), "") })
}

// Users is scoring.Users with a bar.
func (w *Work) Users(ctx context.Context, m *model.Model, d *dataset.Dataset,
	likes *dataset.Matrix) (users *gaussian.Table, own int, err error) {
	bar := w.StepsBar("inferring users", "users")
	defer bar.Done()
	return scoring.Users(ctx, m, d.Users.Strings(), likes, w.Workers,
		func(done, total int) { bar.Set(int64(done), int64(total), "") })
}
