package main

import (
	"context"
	"fmt"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/study/calibrate"
)

// calibrates reports whether a calibration is fitted. A model that begins from another one (--from) has, through that
// one, learned from everybody, so no users can be left out of it.
func (t *trainRun) calibrates(cfg pmlam.Config) bool {
	return cfg.Calibrate && t.out != "" && t.origin == nil
}

// leavesOut returns the users whom the kept training on train leaves out, to be calibrated on; nil where further
// trainings are made for that.
func (t *trainRun) leavesOut(train *dataset.Matrix, cfg pmlam.Config) []int {
	if !t.calibrates(cfg) || !cfg.ComposesAnybody() {
		return nil
	}
	return calibrate.LeftOut(train, cfg.Seed)
}

// further returns how many further trainings the calibration takes, where the kept one on train leaves out left.
func (t *trainRun) further(train *dataset.Matrix, left []int, cfg pmlam.Config) int {
	if !t.calibrates(cfg) || left != nil {
		return 0
	}
	return calibrate.FoldCount(train.Rows(), train.Len())
}

// calibration returns the calibration of m, which l has learned; nil where the settings ask for none. It is fitted on
// the users whom l has left out. Where there are none it costs further trainings with the same settings, each without
// some of the users (calibrate.Folds). A model that begins from a calibrated one takes over what was fitted for that
// one.
func (t *trainRun) calibration(ctx context.Context, m *model.Model, in *input, l *trainedModel,
	cfg pmlam.Config) (*model.Calibration, error) {
	d := answers(in.Dataset, in.split.Train)
	if t.origin != nil && cfg.Calibrate {
		if t.origin.Calibration == nil {
			t.notef("the model is not calibrated, because that of --from is not")
			return nil, nil
		}
		t.notef("the calibration is that of --from")
		return calibrate.Transfer(t.origin.Calibration, d, m, t.workers)
	}
	if !t.calibrates(cfg) {
		return nil, nil
	}
	folds, err := t.people(ctx, m, in, l, d, cfg)
	if err != nil {
		return nil, fmt.Errorf("the model is not calibrated: %w", err)
	}
	if len(folds) == 0 {
		t.notef("the model is not calibrated: there are too few users to leave some out")
		return nil, nil
	}
	c, err := calibrate.Calibrate(ctx, d, folds, m, t.workers)
	if err != nil {
		return nil, fmt.Errorf("the model is not calibrated: %w", err)
	}
	if l.left != nil {
		t.printf("calibrated on %d users who were left out of the training\n", c.Users)
	} else {
		t.printf("calibrated on %d users, each left out of one of %d further trainings\n", c.Users, len(folds))
	}
	return c, nil
}

// people returns those whom a training has not seen: that of m, which l has learned, or further ones.
func (t *trainRun) people(ctx context.Context, m *model.Model, in *input, l *trainedModel, d calibrate.Data,
	cfg pmlam.Config) (folds []*calibrate.People, err error) {
	if l.left != nil {
		p, err := calibrate.NewPeople(d, m, l.left, cfg.Seed)
		return []*calibrate.People{p}, err
	}
	lefts := calibrate.Folds(d.Likes, cfg.Seed)
	for k, left := range lefts {
		of, err := t.fold(ctx, k, len(lefts), left, in, d, cfg)
		if err != nil {
			return nil, err
		}
		folds = append(folds, of)
	}
	return folds, nil
}

// fold trains without the users left, the k-th of n parts, lays the titles out, and opens what was learned. Only the
// items are kept.
func (t *trainRun) fold(ctx context.Context, k, n int, left []int, in *input, d calibrate.Data,
	cfg pmlam.Config) (*calibrate.People, error) {
	what := fmt.Sprintf("%s %d of %d", calibrating, k+1, n)
	first, err := t.trainAndMeasure(ctx, what, dataset.Split{Train: calibrate.Without(d.Likes, left)}, nil, cfg)
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
