package choose

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/pmlam"
)

// AutoOptions say how Auto goes. The zero value is usable.
type AutoOptions struct {
	ByHand  []string      // settings, by their names in a settings file, that stay as they are
	Workers int           // 0 or less: as many as there are processors; no result depends on it
	Device  *pmlam.Device // where the trials train and rank; nil: the processor
	Journal *Journal      // keeps the trials, and holds those of a choice that goes on; nil: they are only returned
	Report  func(AutoEvent)
}

// AutoEvent is reported after every epoch and every trial.
type AutoEvent struct {
	Trial   Trial // Epochs is the schedule's length
	Epoch   int   // the epoch that is over
	Done    bool  // the trial is over: it is known how good it was
	Planned int   // trials in all, if none of those to come helps
}

// Budget is how many trials there are at most, in units of the first one: a trial of twice the dimension is two.
const Budget = 16

// The largest dimension that is tried, and in a wider search.
const (
	mostDim  = 200
	widerDim = 400
)

// autoShare is the validation part of a trial. It is larger than that of a training that only chooses its best epoch,
// since differences between settings are small.
const autoShare = 0.2

// visitorPrior is how many likes of an unknown user stand beside a visitor's where no calibration chooses it
// (calibrate.ChooseVisitorPrior). No trial reads it.
const visitorPrior = 2

// coordinate is one setting that is chosen. next returns the values one step up or down from c, nil where there is
// none.
type coordinate struct {
	names []string // that must not be set by hand
	down  bool     // whether down is tried where up does not help
	next  func(c *Settings, up bool) map[string]string
	in    func(base *Settings) bool // whether the setting means anything there; nil: everywhere
}

// coordinates are the settings that depend on the data, in the order in which they are chosen.
var coordinates = []coordinate{
	{names: []string{"part_discount"}, down: true, next: func(c *Settings, up bool) map[string]string {
		switch {
		case up && c.PartDiscount == 0:
			return map[string]string{"part_discount": "0.5"}
		case !up && c.PartDiscount > 0:
			return map[string]string{"part_discount": "0"}
		}
		return nil
	}, in: func(base *Settings) bool { return base.UserParts > 0 }},
	scaled("temperature", math.Sqrt2, 0.1, 10, true),
	scaled("user_weight", math.Sqrt2, 0.25, 16, true),
	{names: []string{"relations", "relation_weight"}, next: func(c *Settings, _ bool) map[string]string {
		switch on := c.Relations != pmlam.NoRelations; {
		case !on:
			return map[string]string{"relations": "fixed", "relation_weight": "0.1"}
		case c.RelationWeight < 0.3:
			return map[string]string{"relation_weight": "0.3"}
		}
		return nil
	}},
	scaled("dim", 2, 1, mostDim, false),
	scaled("epochs", 1.5, 1, 200, true),
}

// scaled is a setting that is varied by a factor.
func scaled(name string, factor, low, high float64, down bool) coordinate {
	return coordinate{names: []string{name}, down: down, next: func(c *Settings, up bool) map[string]string {
		v, err := strconv.ParseFloat(Value(c, name), 64)
		if err != nil || v == 0 {
			return nil // 0 is a word for "not at all"
		}
		next := v * factor
		if !up {
			next = v / factor
		}
		if next < low || next > high {
			return nil
		}
		if name == "dim" || name == "epochs" {
			next = math.Round(next)
		} else {
			next = Readable(next)
		}
		return map[string]string{name: strconv.FormatFloat(min(max(next, low), high), 'g', -1, 64)}
	}}
}

// Auto returns base with the settings that suit the data, to be trained with on all of train (U×I): discount of
// parts where there are any, temperature, weight of the items in a user, relations, dimension, length of the
// schedule, and, where base has an item-item part, its γ. What is set by hand is not touched. From largeData
// interactions on, another procedure bounds the cost, see large.go. Visitors are given a prior where they can have one.
//
// One after the other is moved up and down by a factor as long as that helps. A move helps where the users' NDCG@10
// rises on average by more than one standard error of the difference, user by user, so that a preset is not left for
// what chance explains. All trials have the same validation part and the same seed, and the full length of the
// schedule: shorter schedules prefer other temperatures and weights.
//
// Then plain methods are measured on the same validation part (references); where one of them is ahead, the search is
// widened: more dimensions and more links a title.
//
// Cost: usually 9 to 12 trials and at most about Budget, each of a whole training.
//
// The trials come in their order. Where ctx ended, the error wraps ctx's, and with it come the trials until then and
// the best settings among them.
func Auto(ctx context.Context, train *dataset.Matrix, base Settings, o AutoOptions) (Settings, []Trial, error) {
	return choose(ctx, train, base, o, largeData, choiceSample)
}

// choose is Auto where data are large from another number of interactions on, and the trials on large data learn from
// another number at most.
func choose(ctx context.Context, train *dataset.Matrix, base Settings, o AutoOptions, large, most int) (
	Settings, []Trial, error) {
	if err := base.Validate(); err != nil || base.Epochs == 0 {
		return base, nil, err
	}
	a := &auto{AutoOptions: o, all: train, base: base, large: train.Len() >= large}
	if base.ComposesAnybody() && !a.isByHand("visitor_prior") {
		a.base.VisitorPrior = visitorPrior
	}
	a.best = a.base
	var err error
	if a.large {
		err = a.chooseLarge(ctx, most)
	} else {
		err = a.chooseSmall(ctx)
	}
	if err == nil {
		err = a.compare(ctx)
	}
	if err != nil && ctx.Err() != nil {
		err = fmt.Errorf("the choice of settings was stopped: %w", err)
	}
	return a.best, a.trials, err
}

// chooseSmall chooses all settings by trials of the full length.
func (a *auto) chooseSmall(ctx context.Context) error {
	a.use(a.all, autoShare)
	if err := a.climb(ctx, a.free(coordinates...)); err != nil || !a.choosesPart() {
		return err
	}
	return a.chooseItemPart(ctx, a.base.ItemTop)
}

// choosesPart reports whether the item-item part is chosen.
func (a *auto) choosesPart() bool {
	return a.base.ItemPart != NoItemPart && !a.isByHand("item_weight")
}

// NewAutoHeader describes a choice by Auto, for its journal.
func NewAutoHeader(train *dataset.Matrix, base Settings, o AutoOptions) Header {
	h := NewHeader(autoFormat, train, base, base.Seed, 0)
	for _, c := range coordinates {
		if c.free(&base, o.ByHand) {
			h.Space = append(h.Space, c.names[0])
		}
	}
	return h
}

// free reports whether the coordinate can be chosen: it is not set by hand, and it means something in base.
func (c *coordinate) free(base *Settings, byHand []string) bool {
	hand := slices.ContainsFunc(c.names, func(n string) bool { return slices.Contains(byHand, n) })
	return !hand && (c.in == nil || c.in(base))
}

func (a *auto) isByHand(name string) bool { return slices.Contains(a.ByHand, name) }

// free returns those of some coordinates that can be chosen.
func (a *auto) free(some ...coordinate) (out []coordinate) {
	for _, c := range some {
		if c.free(&a.base, a.ByHand) {
			out = append(out, c)
		}
	}
	return out
}

// climb moves along every coordinate given, from the best settings so far.
func (a *auto) climb(ctx context.Context, free []coordinate) error {
	a.remaining = tries(free)
	if len(a.trials) == 0 {
		if _, err := a.try(ctx, a.base, nil); err != nil {
			return err
		}
	}
	for i, c := range free {
		a.remaining = tries(free[i+1:])
		if c.down {
			a.remaining++
		}
		moved, err := a.move(ctx, c, true)
		if err == nil && c.down && !moved {
			a.remaining = tries(free[i+1:])
			_, err = a.move(ctx, c, false)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// move moves along a coordinate in one direction for as long as that helps, and reports whether it did.
func (a *auto) move(ctx context.Context, c coordinate, up bool) (moved bool, err error) {
	for a.spent < Budget {
		values := c.next(&a.best, up)
		if values == nil {
			break
		}
		cfg, err := Apply(a.best, values)
		if err != nil {
			return moved, err
		}
		if cfg.Validate() != nil {
			break
		}
		if taken, err := a.try(ctx, cfg, values); err != nil || !taken {
			return moved, err
		}
		moved = true
	}
	return moved, nil
}

// tries returns how many trials the coordinates take where nothing helps.
func tries(all []coordinate) (n int) {
	for _, c := range all {
		n++
		if c.down {
			n++
		}
	}
	return n
}
