package main

import (
	"context"
	"fmt"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/study/calibrate"
)

// calibrates reports whether a second training is made for the calibration. A model that begins from another one
// (--from) has, through that one, learned from everybody, so no users can be left out of it.
func (t *trainRun) calibrates(cfg pmlam.Config) bool {
	return cfg.Calibrate && t.out != "" && t.origin == nil
}

// calibration returns the calibration of m, which l has learned; nil where the settings ask for none. It costs a second
// training with the same settings, without a tenth of the users. A model that begins from a calibrated one takes over
// what was fitted for that one.
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
	theirs := in.learnedFrom(l.train)
	train, left := calibrate.LeaveOut(theirs, cfg.Seed)
	if len(left) == 0 {
		t.notef("the model is not calibrated: there are too few users to leave some out")
		return nil, nil
	}
	first, err := t.trainAndMeasure(ctx, calibrating, dataset.Split{Train: train}, cfg)
	if err != nil {
		return nil, fmt.Errorf("the model is not calibrated: %w", err)
	}
	without, err := t.buildModel(first, in, cfg)
	if err != nil {
		return nil, err
	}
	c, err := calibrate.Calibrate(ctx, d, without, m, left, cfg.Seed)
	if err != nil {
		return nil, fmt.Errorf("the model is not calibrated: %w", err)
	}
	t.printf("calibrated on %d users left out of a second training\n", c.Users)
	return c, nil
}

// answers returns what people said, as far as a training on train (U×I) may know it: nothing that was held out.
func answers(d *dataset.Dataset, train *dataset.Matrix) calibrate.Data {
	return calibrate.Data{Likes: train, Unliked: d.Unliked, Low: d.Low}
}
