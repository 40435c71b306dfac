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

// LongRun holds the flags of long trainings: checkpoints, time limit, curves, and a model to start from.
type LongRun struct {
	From, Checkpoint, CurvesFolder string
	Every, MaxTime                 time.Duration
	Fresh                          bool

	Flags  *Group
	Origin *model.Model // the model of --from
}

// Register returns the group of all flags.
func (l *LongRun) Register() *Group {
	g := l.RegisterLong()
	g.StringVar(&l.From, "from", "", "start from this model: its rows for known items and users, and its settings "+
		"unless others are given")
	g.Placeholder("FILE", "from")
	return g
}

// RegisterLong returns the flags except --from.
func (l *LongRun) RegisterLong() *Group {
	l.Flags = NewGroup("Long and repeated trainings")
	g := l.Flags
	g.StringVar(&l.Checkpoint, "checkpoint", "", "folder for checkpoints; a training that has some there is resumed")
	g.DurationVar(&l.Every, "checkpoint-every", 5*time.Minute, "time between checkpoints; 0: one after every batch")
	g.BoolVar(&l.Fresh, "fresh", false, "start again, ignoring existing checkpoints; the first new one replaces them")
	g.DurationVar(&l.MaxTime, "max-time", 0, "stop after this time, such as 30m, and keep the best model so far; "+
		"covers the choice of settings and all trainings of --measure and --calibrate")
	g.StringVar(&l.CurvesFolder, "curves", "", "folder for the learning curves, curve.csv")
	g.Placeholder("FOLDER", "checkpoint", "curves")
	g.Placeholder("TIME", "checkpoint-every", "max-time")
	g.Lookup("max-time").DefValue = "" // none
	return g
}

// Open reads the model of --from and makes its settings the defaults.
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
		return fmt.Errorf("%s: the model's settings cannot be read: %w; pass --preset or --config, and every "+
			"setting", l.From,
			err)
	}
	l.Origin, set.base = m, &c
	return nil
}

// Check returns an error if flags contradict each other. All errors are usage errors, except those for folders that
// cannot be made.
func (l *LongRun) Check(cfg train.Settings, measure bool) error {
	changed := l.Flags.Changed
	switch {
	case l.Checkpoint == "" && (l.Fresh || changed("checkpoint-every")):
		return Usagef("--checkpoint-every and --fresh need --checkpoint, the folder for checkpoints")
	case l.Every < 0:
		return Usagef("--checkpoint-every is %v; it must be 0 or more", l.Every)
	case changed("max-time") && l.MaxTime <= 0:
		return Usagef("--max-time is %v; it must be more than 0", l.MaxTime)
	case l.Origin != nil && measure:
		return Usagef("--measure cannot be combined with --from: the model may have learned from the items that are " +
			"held out")
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

// Options returns the training options that the flags give, with the checkpoints of Claim. The Watch shows their
// events.
func (l *LongRun) Options(w *Work, checkpoints *train.Checkpoints) (o train.Options, shown *Watch) {
	shown = &Watch{App: w.App, Checkpoint: checkpoints != nil}
	return train.Options{
		Workers: w.Workers, Device: w.Device.Device, From: l.Origin, Checkpoints: checkpoints, Curves: l.CurvesFolder,
		MaxTime: l.MaxTime, Events: shown.Show, Explain: Explain,
	}, shown
}

// PrintBeginning reports how much of the model of --from the training takes over.
func (l *LongRun) PrintBeginning(a *App, in *Input, cfg train.Settings) {
	if l.Origin == nil {
		return
	}
	_, k := pmlam.BeginningOf(l.Origin, in.Dataset)
	a.Printf("starts from %s: %d items known, %d new, %d no longer in the data and left out\n", l.From, k.Items,
		k.NewItems, k.GoneItems)
	switch {
	case cfg.UserWeight > 0: // users are composed of their items
	case l.Origin.Users == nil:
		a.Printf("the model has no users: all %d start at the mean of their known items\n", k.NewUsers)
	default:
		a.Printf("%d users known, %d new, %d no longer in the data and left out\n", k.Users, k.NewUsers,
			k.GoneUsers)
	}
	if in.Split.Test != nil {
		a.Notef("the figures are too good if the model of --from has learned from the test part")
	}
}
