package main

import (
	"context"
	"sync"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
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
	bar := w.stepsBar("evaluating", "users")
	defer bar.done()
	return eval.Evaluate(ctx, s, split.Train, split.Test, eval.Options{
		Ks: ks, Workers: w.workers,
		Progress: func(done, total int) { bar.set(int64(done), int64(total), "") },
	})
}

// tastes infers the Gaussian of every row of likes (U×I, numbered as the model's items), as a visitor's is inferred.
// Rows without likes get that of a visitor who has said nothing.
func (w *work) tastes(ctx context.Context, m *model.Model, likes *dataset.Matrix) (*gaussian.Table, error) {
	r, err := recommend.Open(m, recommend.Options{})
	if err != nil {
		return nil, err
	}
	users := gaussian.NewTable(likes.Rows(), m.Items.Dim())
	bar := w.stepsBar("inferring users", "users")
	defer bar.done()
	var mu sync.Mutex // guards done and the bar
	done := 0
	infer := func(u int) {
		var v recommend.Visit
		for _, i := range likes.Row(u) {
			v.Likes = append(v.Likes, int(i))
		}
		copy(users.Row(u), r.Taste(v, nil).Row)
		mu.Lock()
		defer mu.Unlock()
		if done++; done%64 == 0 {
			bar.set(int64(done), int64(likes.Rows()), "")
		}
	}
	return users, parallel.Each(ctx, likes.Rows(), w.workers, func() func(u int) { return infer })
}

// users returns a Gaussian for each of the data's users: the model's own where it keeps one, which are own of them, and
// inferred from likes (U×I, numbered as the model's items) elsewhere.
func (w *work) users(ctx context.Context, m *model.Model, d *dataset.Dataset,
	likes *dataset.Matrix) (users *gaussian.Table, own int, err error) {
	users, err = w.tastes(ctx, m, likes)
	if err != nil || m.Users == nil {
		return users, 0, err
	}
	at := make(map[string]int, len(m.UserIDs))
	for u, id := range m.UserIDs {
		at[id] = u
	}
	for u := range d.Users.Len() {
		if at, ok := at[d.Users.ID(u)]; ok {
			copy(users.Row(u), m.Users.Row(at))
			own++
		}
	}
	return users, own, nil
}
