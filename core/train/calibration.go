package train

import (
	"context"
	"fmt"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/tastemap"
	"github.com/pmlam/pmlam/core/train/calibrate"
	"github.com/pmlam/pmlam/core/train/choose"
)

// calibrates reports whether Run fits a calibration. A model that continues from another one has already learned from
// every user through it, so no users can be left out.
func (o *Options) calibrates(s *Settings) bool { return s.Calibrate && !o.NoModel && o.From == nil }

// leavesOut reports whether trainings leave out users, to calibrate and choose settings on. A choice leaves out the
// same users if no model is wanted, so that a training has the same settings and figures with and without a file.
func (r *run) leavesOut() bool {
	s := &r.settings
	return s.Calibrate && r.From == nil && s.ComposesAnybody() && !r.choiceOnly && (s.Auto || !r.NoModel)
}

// leftOutUsers returns the users to leave out of the kept training; nil if separate trainings serve that purpose.
func (r *run) leftOutUsers() []int {
	if !r.leavesOut() {
		return nil
	}
	return calibrate.LeftOut(r.Split.Train, r.settings.Seed)
}

// fewestStrangers is the smallest number of users that settings are chosen on; with fewer, a part of everybody's likes
// says more.
const fewestStrangers = 100

// strangers returns the users that the choice of settings leaves out and is measured on: the held-out users of the
// first training that calibration makes, or would make for a model. It is nil if calibration makes none, if they are
// too few, or if that training would differ.
func (r *run) strangers() []int {
	if !r.leavesOut() || r.settings.Validation > 0 || r.leftOutUsers() != nil || r.Measure.Train != nil {
		return nil
	}
	folds := calibrate.Folds(r.Split.Train, r.settings.Seed)
	if len(folds) == 0 || len(folds[0]) < fewestStrangers {
		return nil
	}
	return folds[0]
}

// partOnLeft reports whether to choose the item-item part on the users that the kept training leaves out, since
// visitors are as unknown to it, and no further training is needed.
func (r *run) partOnLeft(left []int) bool {
	return r.settings.Auto && left != nil && r.Measure.Train == nil && r.Links == nil &&
		choose.ChoosesPart(&r.settings, r.ByHand)
}

// choosePart chooses the item-item part of l on visits by the users left. It sets it in the settings and returns the
// links.
func (r *run) choosePart(ctx context.Context, l *learned, all *dataset.Matrix) (*model.ItemLinks, error) {
	visits := dataset.Visits(all, l.left, choose.Visits, r.settings.Seed)
	part, found, err := choose.ItemPartOf(ctx, choose.VisitorsOf(l.Result, visits.Train, r.settings.Config), l.train,
		visits, &r.settings, r.ByHand, r.Workers)
	if err != nil {
		return nil, err
	}
	before := r.settings
	part.ApplyTo(&r.settings)
	r.emit(PartChosen{before, r.settings, len(l.left), found.Best.NDCG, found.Base})
	if found.Part != nil {
		found.Part.Gamma = float32(r.settings.ItemWeight)
	}
	return found.Part, nil
}

// extraTrainings returns the number of extra trainings that calibration needs, given the users that the kept one left
// out.
func (r *run) extraTrainings(left []int) int {
	if !r.calibrates(&r.settings) || left != nil {
		return 0
	}
	n := calibrate.FoldCount(r.Split.Train.Rows())
	if r.firstFold != nil {
		n--
	}
	return n
}

// calibration returns the calibration of m, trained as l; nil if the settings ask for none. It is fitted on the users
// left out of l. If l left out nobody, it runs further trainings with the same settings, each without some of the users
// (calibrate.Folds). It first chooses the visitors' prior on those users, and sets it in the settings and in m. A model
// that continues from a calibrated one inherits that calibration.
func (r *run) calibration(ctx context.Context, m *model.Model, l *learned) (*model.Calibration, error) {
	d := r.feedback()
	if r.From != nil && r.settings.Calibrate {
		had := r.From.Calibration
		r.emit(CalibrationTaken{had != nil})
		if had == nil {
			return nil, nil
		}
		return calibrate.Transfer(had, d, m, r.Workers)
	}
	if !r.calibrates(&r.settings) {
		return nil, nil
	}
	folds, err := r.calibrationFolds(ctx, m, l, d)
	if err != nil {
		return nil, fmt.Errorf("calibrating the model: %w", err)
	}
	if len(folds) == 0 {
		r.emit(Calibrated{})
		return nil, nil
	}
	var c *model.Calibration
	if err = r.chooseVisitorPrior(ctx, d, folds, m); err == nil {
		c, err = calibrate.Calibrate(ctx, d, folds, m, r.settings.Seed, r.Workers)
	}
	if err != nil {
		return nil, fmt.Errorf("calibrating the model: %w", err)
	}
	done := Calibrated{Users: c.Users}
	if l.left == nil {
		done.Trainings = len(folds)
	}
	r.emit(done)
	return c, nil
}

// feedback returns the users' feedback that the kept training may see, which excludes everything held out.
func (r *run) feedback() calibrate.Data {
	return calibrate.Data{Likes: r.Split.Train, Unliked: r.data.Unliked, Low: r.data.Low}
}

// chooseVisitorPrior calls ChooseVisitorPrior, so that calibration sees visitors exactly as they will be served.
func (r *run) chooseVisitorPrior(ctx context.Context, d calibrate.Data, folds []calibrate.Fold, m *model.Model) error {
	c, err := ChooseVisitorPrior(ctx, d, folds, &r.settings, r.ByHand, r.Workers, m)
	if err == nil && c.People > 0 {
		r.emit(PriorChosen{c})
	}
	return err
}

// ChooseVisitorPrior chooses the priors of a visitor's mean and links on the users left out by the folds
// (calibrate.ChooseVisitorPrior), and whether lists prefer little-known items (calibrate.TryRarity). It sets these in
// the settings, the folds' models and others, except those set by hand. It changes nothing (People is 0) if the prior
// of the mean is 0 or was set by hand, or if there are no such users.
func ChooseVisitorPrior(ctx context.Context, d calibrate.Data, folds []calibrate.Fold, s *Settings, byHand []string,
	workers int, others ...*model.Model) (c calibrate.VisitorPrior, err error) {
	if s.VisitorPrior == 0 || slices.Contains(byHand, "visitor_prior") {
		return c, nil
	}
	c, err = calibrate.ChooseVisitorPrior(ctx, d.Likes, folds, s.Seed, workers)
	if err != nil || c.People == 0 {
		return c, err
	}
	s.VisitorPrior = float64(c.Likes)
	if !slices.Contains(byHand, "item_prior") {
		s.ItemPrior = float64(c.Links)
	}
	for _, f := range folds {
		others = append(others, f.Model)
	}
	set := func() error {
		for _, m := range others {
			if err := s.SetVisitorPrior(m); err != nil {
				return err
			}
		}
		return nil
	}
	if err := set(); err != nil || slices.Contains(byHand, "no_rarity") {
		return c, err
	}
	if c.Rarity, err = calibrate.TryRarity(ctx, d.Likes, folds, s.Seed, workers); err != nil {
		return c, err
	}
	s.NoRarity = c.Rarity.Costs
	return c, set()
}

// calibrationFolds returns models that have not seen some of the users: m itself if l left users out, otherwise models
// of further trainings.
func (r *run) calibrationFolds(ctx context.Context, m *model.Model, l *learned, d calibrate.Data) (
	folds []calibrate.Fold, err error) {
	if l.left != nil {
		return []calibrate.Fold{{Model: m, Left: l.left}}, nil
	}
	lefts := calibrate.Folds(d.Likes, r.settings.Seed)
	for k, left := range lefts {
		known := r.firstFold
		if k > 0 {
			known = nil
		}
		without, err := r.fold(ctx, Training{Calibrating, k + 1, len(lefts)}, left, d, known)
		if err != nil {
			return nil, err
		}
		folds = append(folds, calibrate.Fold{Model: without, Left: left})
	}
	return folds, nil
}

// fold trains without the users left, unless the result is known, and lays out the map, without the regions, which
// calibration does not read. The model keeps only the items.
func (r *run) fold(ctx context.Context, t Training, left []int, d calibrate.Data, known *pmlam.Result) (*model.Model,
	error) {
	l := &learned{Result: known, train: calibrate.Without(d.Likes, left)}
	var err error
	if known != nil {
		l.links, err = Links(ctx, l.train, &r.settings, r.Workers)
	} else {
		l, err = r.learnAndMeasure(ctx, t, dataset.Split{Train: l.train}, nil)
	}
	if err != nil {
		return nil, err
	}
	m, err := r.build(l)
	if err == nil {
		err = r.layOut(ctx, m, tastemap.Place)
	}
	return m, err
}
