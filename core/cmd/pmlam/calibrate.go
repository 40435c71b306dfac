package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/calibrate"
)

// calibrates reports whether a calibration is fitted. A model that begins from another one (--from) has, through that
// one, learned from everybody, so no users can be left out of it.
func (t *trainRun) calibrates(cfg pmlam.Config) bool {
	return cfg.Calibrate && t.out != "" && t.Origin == nil
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
// some of the users (calibrate.Folds). First the visitors' prior is chosen on them, for cfg and for m. A model that
// begins from a calibrated one takes over what was fitted for that one.
func (t *trainRun) calibration(ctx context.Context, m *model.Model, in *cli.Input, l *trainedModel,
	cfg *pmlam.Config) (*model.Calibration, error) {
	d := answers(in.Dataset, in.Split.Train)
	if t.Origin != nil && cfg.Calibrate {
		if t.Origin.Calibration == nil {
			t.Notef("the model is not calibrated, because that of --from is not")
			return nil, nil
		}
		t.Notef("the calibration is that of --from")
		return calibrate.Transfer(t.Origin.Calibration, d, m, t.Workers)
	}
	if !t.calibrates(*cfg) {
		return nil, nil
	}
	folds, err := t.calibrationFolds(ctx, m, in, l, d, *cfg)
	if err != nil {
		return nil, fmt.Errorf("the model is not calibrated: %w", err)
	}
	if len(folds) == 0 {
		t.Notef("the model is not calibrated: there are too few users to leave some out")
		return nil, nil
	}
	var c *model.Calibration
	if err = t.chooseVisitorPrior(ctx, d, folds, cfg, m); err == nil {
		c, err = calibrate.Calibrate(ctx, d, folds, m, cfg.Seed, t.Workers)
	}
	if err != nil {
		return nil, fmt.Errorf("the model is not calibrated: %w", err)
	}
	if l.left != nil {
		t.Printf("calibrated on %d users who were left out of the training\n", c.Users)
	} else {
		t.Printf("calibrated on %d users, each left out of one of %d further trainings\n", c.Users, len(folds))
	}
	return c, nil
}

// chooseVisitorPrior chooses the visitors' prior on the people left out by the folds, where a rule has set it and no
// hand. It goes into cfg, the folds' models and the others, so what is calibrated is visitors as they will be.
func (t *trainRun) chooseVisitorPrior(ctx context.Context, d calibrate.Data, folds []calibrate.Fold, cfg *pmlam.Config,
	others ...*model.Model) error {
	if cfg.VisitorPrior == 0 || slices.Contains(t.byHand, "visitor_prior") {
		return nil
	}
	c, err := calibrate.ChooseVisitorPrior(ctx, d.Likes, folds, cfg.Seed, t.Workers)
	if err != nil || c.People == 0 {
		return err
	}
	cfg.VisitorPrior = float64(c.Likes)
	for _, f := range folds {
		others = append(others, f.Model)
	}
	for _, m := range others {
		if err := cfg.SetVisitorPrior(m); err != nil {
			return err
		}
	}
	t.Printf("chosen: --visitor-prior %g, ndcg@10 %.4f for %d people left out who tell 1 to 8 likes; with 0 %.4f\n",
		c.Likes, c.NDCG, c.People, c.Without)
	return nil
}

// calibrationFolds returns trainings that have not seen some people: that of m, which l has learned, or further ones.
func (t *trainRun) calibrationFolds(ctx context.Context, m *model.Model, in *cli.Input, l *trainedModel,
	d calibrate.Data,
	cfg pmlam.Config) (folds []calibrate.Fold, err error) {
	if l.left != nil {
		return []calibrate.Fold{{Model: m, Left: l.left}}, nil
	}
	lefts := calibrate.Folds(d.Likes, cfg.Seed)
	for k, left := range lefts {
		without, err := t.fold(ctx, k, len(lefts), left, in, d, cfg)
		if err != nil {
			return nil, err
		}
		folds = append(folds, calibrate.Fold{Model: without, Left: left})
	}
	return folds, nil
}

// fold trains without the users left, the k-th of n parts, and lays the titles out. Only the items are kept.
func (t *trainRun) fold(ctx context.Context, k, n int, left []int, in *cli.Input, d calibrate.Data,
	cfg pmlam.Config) (*model.Model, error) {
	what := fmt.Sprintf("%s %d of %d", calibrating, k+1, n)
	first, err := t.trainAndMeasure(ctx, what, dataset.Split{Train: calibrate.Without(d.Likes, left)}, nil, cfg)
	if err != nil {
		return nil, err
	}
	m, err := t.buildModel(first, in, cfg)
	if err == nil {
		err = layOut(&t.Work, ctx, m)
	}
	return m, err
}

// answers returns what people said, as far as a training on train (U×I) may know it: nothing that was held out.
func answers(d *dataset.Dataset, train *dataset.Matrix) calibrate.Data {
	return calibrate.Data{Likes: train, Unliked: d.Unliked, Low: d.Low}
}
