package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/lab/uncertainty"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/train"
	"github.com/pmlam/pmlam/core/train/calibrate"
)

// cases trains models that each leave out one tenth of the users.
func (u *uncertaintyRun) cases(ctx context.Context, in *cli.Input, cfg train.Settings) (out []uncertainty.Case,
	err error) {
	users := in.Users.Len()
	if users < 20 {
		return nil, fmt.Errorf("%s has %d users; leaving some out needs at least 20", in.Name, users)
	}
	tenths := u.tenths
	if tenths == 0 {
		tenths = min(max((10*defaultPeople+users-1)/users, 1), 10)
	}
	for k, held := range calibrate.Parts(users, 10, cfg.Seed)[:tenths] {
		held = thinned(held, maxHeld)
		m, err := u.calibrated(ctx, fmt.Sprintf("training without tenth %d of %d", k+1, tenths), fmt.Sprintf("tenth%d",
			k+1), in, held, cfg)
		if err != nil {
			return nil, err
		}
		engine, err := recommend.Open(m, recommend.Options{})
		if err != nil {
			return nil, err
		}
		out = append(out, uncertainty.Case{Model: m, Engine: engine, LeftOut: held,
			People: uncertainty.People(in.Dataset, held)})
	}
	return out, nil
}

// maxHeld bounds the people of a tenth; more would hardly narrow the intervals.
const maxHeld = 2000

// thinned returns at most n elements of x, evenly chosen.
func thinned(x []int, n int) (out []int) {
	step := max((len(x)+n-1)/n, 1)
	for i := 0; i < len(x); i += step {
		out = append(out, x[i])
	}
	return out
}

// model trains on likes and packs the result, including users, with a map. name is its file in the folder of --keep.
func (u *uncertaintyRun) model(ctx context.Context, what, name string, in *cli.Input, likes *dataset.Matrix,
	cfg train.Settings) (*model.Model, error) {
	path := ""
	if u.keep != "" {
		path = filepath.Join(u.keep, name+".msgpack")
		if m := kept(path, in, likes, cfg); m != nil {
			return m, nil
		}
	}
	l, err := u.Learn(ctx, &u.Work, what, in, likes, cfg)
	if err != nil {
		return nil, err
	}
	e, err := cfg.Export()
	if err != nil {
		return nil, err
	}
	e.Precision, e.WithUsers, e.Program, e.ItemItem = model.Float32, true, train.Version, l.Links
	m, err := l.Model(in.LearnedFrom(likes), e)
	if err == nil {
		err = u.layOut(ctx, m)
	}
	if err == nil && path != "" {
		err = model.WriteFile(path, m)
	}
	return m, err
}

// kept returns the model at path if this program made it with these settings on exactly these data; otherwise nil.
func kept(path string, in *cli.Input, likes *dataset.Matrix, cfg train.Settings) *model.Model {
	m, err := model.ReadFile(path)
	if err != nil {
		return nil
	}
	settings, err := json.Marshal(cfg)
	p := &m.Provenance
	if err != nil || p.Config != string(settings) || p.Program != train.Version || p.Dataset != in.Name ||
		p.Interactions != likes.Len() ||
		!slices.Equal(m.UserIDs, in.Users.Strings()) || m.Items.Len() != in.Items.Len() || m.Map == nil {
		return nil
	}
	return m
}

// calibrated trains without the users held, and calibrates as train does: on the training's users, each left out of a
// further training. Neither sees the users held.
func (u *uncertaintyRun) calibrated(ctx context.Context, what, name string, in *cli.Input, held []int,
	cfg train.Settings) (*model.Model, error) {
	d := calibrate.Data{Likes: in.Positives, Unliked: in.Unliked, Low: in.Low}.Without(held)
	m, err := u.model(ctx, what, name, in, d.Likes, cfg)
	if err != nil || !cfg.Calibrate {
		return m, err
	}
	folds, err := u.folds(ctx, what, name, in, d, cfg)
	if err == nil {
		err = u.choosePrior(ctx, d, folds, &cfg, m)
	}
	if err != nil {
		return nil, err
	}
	m.Calibration, err = calibrate.Calibrate(ctx, d, folds, m, cfg.Seed, u.Workers)
	return m, err
}

// folds trains on d without each of its folds.
func (u *uncertaintyRun) folds(ctx context.Context, what, name string, in *cli.Input, d calibrate.Data,
	cfg train.Settings) (folds []calibrate.Fold, err error) {
	for k, left := range calibrate.Folds(d.Likes, cfg.Seed) {
		without, err := u.model(ctx, fmt.Sprintf("%s, to calibrate, %d", what, k+1),
			fmt.Sprintf("%s-fold%d", name, k+1), in, calibrate.Without(d.Likes, left), cfg)
		if err != nil {
			return nil, err
		}
		folds = append(folds, calibrate.Fold{Model: without, Left: left})
	}
	return folds, nil
}

// ensemble trains with one seed after another and measures σ.
func (u *uncertaintyRun) ensemble(ctx context.Context, in *cli.Input, split dataset.Split,
	cfg train.Settings) (*uncertainty.SigmaReport, error) {
	var members []uncertainty.Trained
	for k := range u.seeds {
		c := cfg
		c.Seed += uint64(k)
		m, err := u.model(ctx, fmt.Sprintf("training with seed %d, %d of %d", c.Seed, k+1, u.seeds),
			fmt.Sprintf("seed%d", c.Seed), in, split.Train, c)
		if err != nil {
			return nil, err
		}
		members = append(members, uncertainty.Trained{Users: m.Users, Items: m.Items, Part: m.ItemItem})
	}
	return u.sigma(ctx, members, split)
}

// choosePrior chooses the visitors' prior as train does, unless a flag sets it.
func (u *uncertaintyRun) choosePrior(ctx context.Context, d calibrate.Data, folds []calibrate.Fold, cfg *train.Settings,
	others ...*model.Model) error {
	c, err := train.ChooseVisitorPrior(ctx, d, folds, cfg, u.byHand, u.Workers, others...)
	if err == nil && c.People > 0 {
		shown := cli.Watch{App: u.App}
		shown.Show(train.PriorChosen{VisitorPrior: c})
	}
	return err
}

// layOut adds a map to the model, with a progress bar.
func (u *uncertaintyRun) layOut(ctx context.Context, m *model.Model) error {
	bar := u.StepsBar("laying out", "steps")
	defer bar.Done()
	return train.LayOut(ctx, m, u.Workers, bar.Count)
}
