package choose

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/calibrate"
)

// AutoOptions control Auto. The zero value is usable.
type AutoOptions struct {
	ByHand  []string      // settings, named as in a settings file, that Auto must not change
	Workers int           // goroutines; 0 or less: one per CPU. No result depends on it
	NoPart  bool          // do not choose the item-item part: the caller does, by ItemPartOf
	Device  *pmlam.Device // the device that trains and ranks; nil: the CPU
	Journal *Journal      // records the trials, and holds those to continue from; nil: trials are only returned
	Report  func(AutoEvent)

	// Left lists users, ascending, that the trials leave out and are measured on. nil: trials learn from four fifths of
	// everybody's likes, on large data from a sample of the users, and are measured on the others.
	Left []int
	// Learned is told the training without Left that has the returned settings. It is not called if the trial was read
	// from the journal.
	Learned func(*pmlam.Result)
}

// AutoEvent is reported after every epoch and every trial.
type AutoEvent struct {
	Trial   Trial // Epochs is the schedule's length
	Epoch   int   // the epoch that has ended
	Done    bool  // the trial has ended and its quality is known
	Planned int   // total number of trials
	Links   bool  // the last trial chooses the item-item part; it trains only if it is the first one too
}

// Progress returns the number of trainings that are over, and of those planned, in epochs of the present one. The
// choice of links after the trainings does not count.
func (e AutoEvent) Progress() (done, all int) {
	trainings, epochs := e.Planned, max(e.Trial.Epochs, 1)
	if e.Links {
		trainings = max(trainings-1, 1)
	}
	all = trainings * epochs
	return min(e.Trial.Number*epochs+e.Epoch, all), all
}

// autoShare is the validation share of a trial. Settings differ by little, so it is larger than in a training, which
// only chooses its best epoch.
const autoShare = 0.2

// Visits is the number of visits by each user that trials leave out.
const Visits = 5

// visitorPrior is the weight of an unknown user in a visitor's mean, in likes, if no calibration chooses it
// (calibrate.ChooseVisitorPrior). No trial reads it.
const visitorPrior = 2

// Auto returns base with settings chosen for a training on all of train (U×I). Rules set the schedule (schedule.go).
// Trials choose the temperature of small data and, if base has an item-item part, its recipe and γ. Settings set by
// hand stay. Visitors get a prior where the settings allow one.
//
// Three temperatures are tried (climb). One helps if the users' mean NDCG@10 rises by more than one standard error of
// the paired difference, so that chance does not override a preset. All trials share the validation part and the seed,
// and are complete trainings, because shorter ones favour other temperatures.
//
// The item-item part can carry the ranking alone, so that the choice is not behind a linear model of items.
//
// Cost: 3 complete trainings on small data, one on large data. With Left, calibration needs one of them anyway.
//
// Trials are returned in order. If ctx ends, Auto returns the trials so far and the best settings among them, with an
// error that wraps ctx's.
func Auto(ctx context.Context, train *dataset.Matrix, base Settings, o AutoOptions) (Settings, []Trial, error) {
	return choose(ctx, train, base, o, largeData, choiceSample)
}

// choose is Auto with the thresholds as parameters: large is the number of interactions from which data are large, and
// most the number that trials learn from.
func choose(ctx context.Context, train *dataset.Matrix, base Settings, o AutoOptions, large, most int) (
	Settings, []Trial, error) {
	if err := base.Validate(); err != nil || base.Epochs == 0 {
		return base, nil, err
	}
	a := &auto{AutoOptions: o, all: train, base: withSchedule(base, train, o.ByHand), mostEpochs: base.Epochs}
	if o.Left == nil {
		a.visits = dataset.HoldOut(Sample(train, most), autoShare, base.Seed)
		a.train = a.visits.Train
	} else {
		a.train, a.visits = calibrate.Without(train, o.Left), dataset.Visits(train, o.Left, Visits, base.Seed)
	}
	if base.ComposesAnybody() && !a.isByHand("visitor_prior") {
		a.base.VisitorPrior = visitorPrior
	}
	a.best = a.base
	var err error
	if train.Len() < large && !a.isByHand("temperature") {
		err = a.climb(ctx)
	}
	if err == nil && a.choosesPart() {
		err = a.chooseItemPart(ctx)
	}
	if err == nil && a.Left != nil && a.Learned != nil && a.learned != nil {
		a.Learned(a.learned)
	}
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("the choice of settings was stopped: %w", err)
	}
	return a.best, a.trials, err
}

// choosesPart reports whether to choose the item-item part.
func (a *auto) choosesPart() bool { return !a.NoPart && ChoosesPart(&a.base, a.ByHand) }

// ChoosesPart reports whether base leaves the item-item part to be chosen, given the settings set by hand.
func ChoosesPart(base *Settings, byHand []string) bool {
	return base.ItemPart != NoItemPart && !slices.Contains(byHand, "item_weight")
}

// NewAutoHeader returns the journal header of a choice by Auto. Its space is empty if everything was set by hand.
func NewAutoHeader(train *dataset.Matrix, base Settings, o AutoOptions) Header {
	h := NewHeader(autoFormat, train, base, base.Seed, 0)
	if !slices.Contains(o.ByHand, "temperature") {
		h.Space = append(h.Space, "temperature")
	}
	if ChoosesPart(&base, o.ByHand) {
		h.Space = append(h.Space, "item_weight")
	}
	return h
}

func (a *auto) isByHand(name string) bool { return slices.Contains(a.ByHand, name) }

// climb tries the schedule's temperature, √2 times that and, if that helps, 2 times, else half of √2 times. So the time
// is known in advance.
func (a *auto) climb(ctx context.Context) error {
	part := 0
	if a.choosesPart() {
		part = 1
	}
	a.remaining = 2 + part
	if _, err := a.try(ctx, a.base, nil); err != nil {
		return err
	}
	factor := math.Sqrt2
	for left := range 2 {
		cfg := a.best
		cfg.Temperature = Readable(cfg.Temperature * factor)
		a.remaining = 1 - left + part
		taken, err := a.try(ctx, cfg, map[string]string{"temperature": Value(&cfg, "temperature")})
		if err != nil {
			return err
		}
		if !taken {
			factor = math.Sqrt2 / 2
		}
	}
	return nil
}
