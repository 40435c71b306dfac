package main

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
)

// longRun holds the flags of trainings that take long or begin from another model: checkpoints, time limit, curves,
// --from.
type longRun struct {
	from, checkpoint, curves string
	every, maxTime           time.Duration
	fresh                    bool

	flags   *group
	origin  *model.Model     // that --from names
	initial *pmlam.Beginning // what the data take over of it
}

func (l *longRun) register() *group {
	l.flags = newGroup("Long and repeated trainings")
	g := l.flags
	g.StringVar(&l.checkpoint, "checkpoint", "", "folder to keep checkpoints in; if it has some of this very "+
		"training, it goes on from there")
	g.DurationVar(&l.every, "checkpoint-every", 5*time.Minute, "time from one checkpoint to the next; 0: after every "+
		"batch")
	g.BoolVar(&l.fresh, "fresh", false, "start anew, whatever checkpoints there are; the first new one takes their "+
		"place")
	g.DurationVar(&l.maxTime, "max-time", 0, "end the training after this time, such as 30m, with the best model so "+
		"far; the choice of settings and all trainings of --measure and --calibrate together")
	g.StringVar(&l.curves, "curves", "", "folder for the learning curves, curve.csv and curve.png")
	g.StringVar(&l.from, "from", "", "begin from this model: what it knows of the data's items and users, and its "+
		"settings unless others are given")
	g.placeholder("FOLDER", "checkpoint", "curves")
	g.placeholder("TIME", "checkpoint-every", "max-time")
	g.placeholder("FILE", "from")
	g.Lookup("max-time").DefValue = "" // none
	return g
}

// open reads the model of --from, whose settings are the defaults then.
func (l *longRun) open(set *settings) error {
	if l.from == "" {
		return nil
	}
	m, err := openModel(l.from)
	if err != nil {
		return err
	}
	var c pmlam.Config
	if err := json.Unmarshal([]byte(m.Provenance.Config), &c); err != nil {
		return fmt.Errorf("%s has no settings to go on with: %w; give --config or --preset and every setting", l.from,
			err)
	}
	l.origin, set.base = m, &c
	return nil
}

// check returns an error for flags that contradict each other. These are usage errors, except for folders that cannot
// be made.
func (l *longRun) check(cfg pmlam.Config, measure bool) error {
	changed := l.flags.Changed
	switch {
	case l.checkpoint == "" && (l.fresh || changed("checkpoint-every")):
		return usagef("--checkpoint-every and --fresh are about checkpoints; say where to keep them with --checkpoint")
	case l.every < 0:
		return usagef("--checkpoint-every is %v; it must be 0 or more", l.every)
	case changed("max-time") && l.maxTime <= 0:
		return usagef("--max-time is %v; it must be more than 0", l.maxTime)
	case l.origin != nil && measure:
		return usagef("--measure holds out what the model of --from may have learned from already; measure one that " +
			"began from nothing")
	case l.origin != nil && l.origin.Items.Dim() != cfg.Dim:
		return usagef("--dim is %d, but the model %s has dimension %d", cfg.Dim, l.from, l.origin.Items.Dim())
	}
	if l.curves != "" {
		if err := durable.OS.MakeFolder(l.curves); err != nil {
			return fmt.Errorf("the learning curves cannot be written: %w", err)
		}
	}
	return nil
}

// claim locks the checkpoint folder against other processes until release is called.
func (l *longRun) claim() (release func(), err error) {
	if l.checkpoint == "" {
		return func() {}, nil
	}
	if release, err = durable.Claim(l.checkpoint); err != nil {
		return nil, fmt.Errorf("checkpoints cannot be kept in %s: %w", l.checkpoint, err)
	}
	return release, nil
}

// begin takes over what the model of --from knows of the data's items and users, and prints how much that is.
func (l *longRun) begin(a *app, in *input, cfg pmlam.Config) {
	if l.origin == nil {
		return
	}
	b, k := pmlam.BeginningOf(l.origin, in.Dataset)
	l.initial = b
	a.printf("begins from %s: %d items known, %d new, %d of the model not in the data and left out\n", l.from, k.Items,
		k.NewItems, k.GoneItems)
	switch {
	case cfg.UserWeight > 0: // users are made from their items
	case l.origin.Users == nil:
		a.printf("the model keeps no users: all %d begin at the mean of their known items\n", k.NewUsers)
	default:
		a.printf("%d users known, %d new, %d of the model not in the data and left out\n", k.Users, k.NewUsers,
			k.GoneUsers)
	}
	if in.split.Test != nil {
		a.notef("if the model of --from has learned from the test part, the figures are better than the truth")
	}
}
