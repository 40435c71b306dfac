package cli

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train"
	"github.com/pmlam/pmlam/core/training"
)

// LongRun holds the flags of trainings that take long or begin from another model: checkpoints, time limit, curves,
// --from.
type LongRun struct {
	From, Checkpoint, CurvesFolder string
	Every, MaxTime                 time.Duration
	Fresh                          bool

	Flags  *Group
	Origin *model.Model // that --from names
}

// Register returns the flags.
func (l *LongRun) Register() *Group {
	g := l.RegisterLong()
	g.StringVar(&l.From, "from", "", "begin from this model: what it knows of the data's items and users, and its "+
		"settings unless others are given")
	g.Placeholder("FILE", "from")
	return g
}

// RegisterLong returns the flags but --from.
func (l *LongRun) RegisterLong() *Group {
	l.Flags = NewGroup("Long and repeated trainings")
	g := l.Flags
	g.StringVar(&l.Checkpoint, "checkpoint", "", "folder to keep checkpoints in; if it has some of this very "+
		"training, it goes on from there")
	g.DurationVar(&l.Every, "checkpoint-every", 5*time.Minute, "time from one checkpoint to the next; 0: after every "+
		"batch")
	g.BoolVar(&l.Fresh, "fresh", false, "start anew, whatever checkpoints there are; the first new one takes their "+
		"place")
	g.DurationVar(&l.MaxTime, "max-time", 0, "end the training after this time, such as 30m, with the best model so "+
		"far; the choice of settings and all trainings of --measure and --calibrate together")
	g.StringVar(&l.CurvesFolder, "curves", "", "folder for the learning curves, curve.csv")
	g.Placeholder("FOLDER", "checkpoint", "curves")
	g.Placeholder("TIME", "checkpoint-every", "max-time")
	g.Lookup("max-time").DefValue = "" // none
	return g
}

// Open reads the model of --from, whose settings are the defaults then.
func (l *LongRun) Open(set *Settings) error {
	if l.From == "" {
		return nil
	}
	m, err := OpenModel(l.From)
	if err != nil {
		return err
	}
	var c train.Settings
	if err := json.Unmarshal([]byte(m.Provenance.Config), &c); err != nil {
		return fmt.Errorf("%s has no settings to go on with: %w; give --config or --preset and every setting", l.From,
			err)
	}
	l.Origin, set.base = m, &c
	return nil
}

// Check returns an error for flags that contradict each other. These are usage errors, except for folders that cannot
// be made.
func (l *LongRun) Check(cfg train.Settings, measure bool) error {
	changed := l.Flags.Changed
	switch {
	case l.Checkpoint == "" && (l.Fresh || changed("checkpoint-every")):
		return Usagef("--checkpoint-every and --fresh are about checkpoints; say where to keep them with --checkpoint")
	case l.Every < 0:
		return Usagef("--checkpoint-every is %v; it must be 0 or more", l.Every)
	case changed("max-time") && l.MaxTime <= 0:
		return Usagef("--max-time is %v; it must be more than 0", l.MaxTime)
	case l.Origin != nil && measure:
		return Usagef("--measure holds out what the model of --from may have learned from already; measure one that " +
			"began from nothing")
	case l.Origin != nil && l.Origin.Items.Dim() != cfg.Dim:
		return Usagef("--dim is %d, but the model %s has dimension %d", cfg.Dim, l.From, l.Origin.Items.Dim())
	}
	if l.CurvesFolder != "" {
		if err := durable.OS.MakeFolder(l.CurvesFolder); err != nil {
			return fmt.Errorf("the learning curves cannot be written: %w", err)
		}
		if err := training.FreeForCurves(l.CurvesFolder); err != nil {
			return err
		}
	}
	return nil
}

// Claim locks the checkpoint folder against other processes until the checkpoints are closed; nil where none are kept.
func (l *LongRun) Claim() (*train.Checkpoints, error) {
	if l.Checkpoint == "" {
		return nil, nil
	}
	return train.OpenCheckpoints(l.Checkpoint, l.Every, l.Fresh)
}

// Options are what the flags say of a training; checkpoints are those that Claim returned. What it reports is shown.
func (l *LongRun) Options(w *Work, checkpoints *train.Checkpoints) (o train.Options, shown *Watch) {
	shown = &Watch{App: w.App, Checkpoint: checkpoints != nil}
	return train.Options{
		Workers: w.Workers, Device: w.Device.Device, From: l.Origin, Checkpoints: checkpoints, Curves: l.CurvesFolder,
		MaxTime: l.MaxTime, Events: shown.Show, Explain: Explain,
	}, shown
}

// PrintBeginning prints how much the data take over of the model of --from.
func (l *LongRun) PrintBeginning(a *App, in *Input, cfg train.Settings) {
	if l.Origin == nil {
		return
	}
	_, k := pmlam.BeginningOf(l.Origin, in.Dataset)
	a.Printf("begins from %s: %d items known, %d new, %d of the model not in the data and left out\n", l.From, k.Items,
		k.NewItems, k.GoneItems)
	switch {
	case cfg.UserWeight > 0: // users are made from their items
	case l.Origin.Users == nil:
		a.Printf("the model keeps no users: all %d begin at the mean of their known items\n", k.NewUsers)
	default:
		a.Printf("%d users known, %d new, %d of the model not in the data and left out\n", k.Users, k.NewUsers,
			k.GoneUsers)
	}
	if in.Split.Test != nil {
		a.Notef("if the model of --from has learned from the test part, the figures are better than the truth")
	}
}
