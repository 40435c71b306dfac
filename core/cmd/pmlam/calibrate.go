package main

import (
	"context"
	"fmt"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/study/calibrate"
)

// calibrates reports whether further trainings are made for the calibration. A model that begins from another one
// (--from) has, through that one, learned from everybody, so no users can be left out of it.
func (t *trainRun) calibrates(cfg pmlam.Config) bool {
	return cfg.Calibrate && t.out != "" && t.origin == nil
}

// calibration returns the calibration of m, which l has learned; nil where the settings ask for none. It costs further
// trainings with the same settings, each without some of the users (calibrate.Folds). A model that begins from a
// calibrated one takes over what was fitted for that one.
func (t *trainRun) calibration(ctx context.Context, m *model.Model, in *input, l *trainedModel,
	cfg pmlam.Config) (*model.Calibration, error) {
	d := answers(in.Dataset, l.train)
	if t.origin != nil && cfg.Calibrate {
		if t.origin.Calibration == nil {
			t.notef("the model is not calibrated, because that of --from is not")
			return nil, nil
		}
		t.notef("the calibration is that of --from")
		return calibrate.Transfer(t.origin.Calibration, d, m)
	}
	if !t.calibrates(cfg) {
		return nil, nil
	}
	lefts := calibrate.Folds(l.train, cfg.Seed)
	if len(lefts) == 0 {
		t.notef("the model is not calibrated: there are too few users to leave some out")
		return nil, nil
	}
	var folds []*calibrate.People
	for k, left := range lefts {
		of, err := t.fold(ctx, k, len(lefts), left, in, d, cfg)
		if err != nil {
			return nil, fmt.Errorf("the model is not calibrated: %w", err)
		}
		folds = append(folds, of)
	}
	c, err := calibrate.Calibrate(ctx, d, folds, m, t.workers)
	if err != nil {
		return nil, fmt.Errorf("the model is not calibrated: %w", err)
	}
	t.printf("calibrated on %d users, each left out of one of %d further trainings\n", c.Users, len(folds))
	return c, nil
}

// fold trains without the users left, the k-th of n parts, lays the titles out, and opens what was learned. Only the
// items are kept.
func (t *trainRun) fold(ctx context.Context, k, n int, left []int, in *input, d calibrate.Data,
	cfg pmlam.Config) (*calibrate.People, error) {
	what := fmt.Sprintf("%s %d of %d", calibrating, k+1, n)
	first, err := t.trainAndMeasure(ctx, what, dataset.Split{Train: calibrate.Without(d.Likes, left)}, cfg)
	if err != nil {
		return nil, err
	}
	m, err := t.buildModel(first, in, cfg)
	if err != nil {
		return nil, err
	}
	if err := t.layOut(ctx, m); err != nil {
		return nil, err
	}
	return calibrate.NewPeople(d, m, left, cfg.Seed)
}

// answers returns what people said, as far as a training on train (U×I) may know it: nothing that was held out.
func answers(d *dataset.Dataset, train *dataset.Matrix) calibrate.Data {
	return calibrate.Data{Likes: train, Unliked: d.Unliked, Low: d.Low}
}
