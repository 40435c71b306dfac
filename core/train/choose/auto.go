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

// AutoOptions control Auto. The zero value is usable.
type AutoOptions struct {
	ByHand  []string      // settings, named as in a settings file, that Auto must not change
	Workers int           // goroutines; 0 or less: one per CPU. No result depends on it
	Device  *pmlam.Device // the device that trains and ranks; nil: the CPU
	Journal *Journal      // records the trials, and holds those to continue from; nil: trials are only returned
	Report  func(AutoEvent)
}

// AutoEvent is reported after every epoch and every trial.
type AutoEvent struct {
	Trial   Trial // Epochs is the schedule's length
	Epoch   int   // the epoch that has ended
	Done    bool  // the trial has ended and its quality is known
	Planned int   // total number of trials, if no further one helps
}

// Budget is the maximum number of trials, in units of the first one: a trial of twice the dimension counts as two.
const Budget = 16

// The largest dimension of a normal and of a wider search.
const (
	mostDim  = 200
	widerDim = 400
)

// autoShare is the validation share of a trial. Settings differ by little, so it is larger than in a training, which
// only chooses its best epoch.
const autoShare = 0.2

// visitorPrior is the weight of an unknown user in a visitor's mean, in likes, if no calibration chooses it
// (calibrate.ChooseVisitorPrior). No trial reads it.
const visitorPrior = 2

// coordinate is one setting to choose. next returns the values one step up or down from c, or nil at the end of the
// range.
type coordinate struct {
	names []string // settings it changes, none of which may be set by hand
	down  bool     // whether to try down if up does not help
	next  func(c *Settings, up bool) map[string]string
	in    func(base *Settings) bool // whether the setting has an effect; nil: always
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

// scaled returns a coordinate that multiplies or divides a setting by factor.
func scaled(name string, factor, low, high float64, down bool) coordinate {
	return coordinate{names: []string{name}, down: down, next: func(c *Settings, up bool) map[string]string {
		v, err := strconv.ParseFloat(Value(c, name), 64)
		if err != nil || v == 0 {
			return nil // 0 turns the setting off
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

// Auto returns base with settings chosen for a training on all of train (U×I). It chooses the discount of parts (if
// there are any), the temperature, the weight of the items in a user, the relations, the dimension, the length of the
// schedule and, if base has an item-item part, its γ. Settings set by hand stay. From largeData interactions on,
// another procedure bounds the cost; see large.go. Visitors get a prior where the settings allow one.
//
// Each setting in turn is scaled up and down by a factor for as long as that helps. A move helps if the users' mean
// NDCG@10 rises by more than one standard error of the paired difference, so that chance does not override a preset.
// All trials share the validation part and the seed, and have schedules of full length, because shorter ones favour
// other temperatures and weights.
//
// Then plain methods are measured on the same validation part (references). If one of them is ahead, the search is
// widened to more dimensions and more links per title.
//
// Cost: usually 9 to 12 trials, and at most about Budget, each a complete training.
//
// Trials are returned in order. If ctx ends, Auto returns the trials so far and the best settings among them, with an
// error that wraps ctx's.
func Auto(ctx context.Context, train *dataset.Matrix, base Settings, o AutoOptions) (Settings, []Trial, error) {
	return choose(ctx, train, base, o, largeData, choiceSample)
}

// choose is Auto with the thresholds as parameters: large is the number of interactions from which data are large, and
// most the number that trials on large data learn from.
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

// chooseSmall chooses all settings by trials of full length.
func (a *auto) chooseSmall(ctx context.Context) error {
	a.use(a.all, autoShare)
	if err := a.climb(ctx, a.free(coordinates...)); err != nil || !a.choosesPart() {
		return err
	}
	return a.chooseItemPart(ctx, a.base.ItemTop)
}

// choosesPart reports whether to choose the item-item part.
func (a *auto) choosesPart() bool {
	return a.base.ItemPart != NoItemPart && !a.isByHand("item_weight")
}

// NewAutoHeader returns the journal header of a choice by Auto.
func NewAutoHeader(train *dataset.Matrix, base Settings, o AutoOptions) Header {
	h := NewHeader(autoFormat, train, base, base.Seed, 0)
	for _, c := range coordinates {
		if c.free(&base, o.ByHand) {
			h.Space = append(h.Space, c.names[0])
		}
	}
	return h
}

// free reports whether the coordinate can be chosen: it is not set by hand and has an effect in base.
func (c *coordinate) free(base *Settings, byHand []string) bool {
	hand := slices.ContainsFunc(c.names, func(n string) bool { return slices.Contains(byHand, n) })
	return !hand && (c.in == nil || c.in(base))
}

func (a *auto) isByHand(name string) bool { return slices.Contains(a.ByHand, name) }

// free returns the coordinates that can be chosen.
func (a *auto) free(some ...coordinate) (out []coordinate) {
	for _, c := range some {
		if c.free(&a.base, a.ByHand) {
			out = append(out, c)
		}
	}
	return out
}

// climb moves along each of the coordinates, from the best settings so far.
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

// tries returns the number of trials that the coordinates take if none helps.
func tries(all []coordinate) (n int) {
	for _, c := range all {
		n++
		if c.down {
			n++
		}
	}
	return n
}
