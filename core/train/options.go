package train

import (
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/pmlam/pmlam/core/coldstart"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
	"github.com/pmlam/pmlam/core/training"
)

// Version is the program's, which Run writes into models. It must not depend on the checkout, or the same seed would no
// longer give the same file; the linker sets it for releases (-X …/core/train.Version=…).
var Version = "0.1.0"

// Settings are the settings of a training and of the steps before and after it.
type Settings = choose.Settings

// Preset returns the settings of that name (pmlam.Presets).
func Preset(name string) (Settings, error) { return choose.Preset(name) }

// Options say how Run goes. The zero value is that of the default preset, learned from all interactions.
type Options struct {
	Settings Settings // start from a Preset; the zero value: those of the default preset
	// names of settings, as they stand in a settings file, that were chosen by hand and stay as they are; nil: those
	// that differ from their preset's
	ByHand  []string
	Workers int           // goroutines; 0 or less: as many as there are processors. No result depends on it
	Device  *pmlam.Device // where to train and rank; nil: the processor

	// The training part and the test part. A nil Train means all interactions; a nil Test means that nothing is
	// measured.
	Split dataset.Split
	// An additional split, trained and measured first, so that a model of all interactions can state its quality. The
	// settings are then chosen on its training part. A nil Train means no such split.
	Measure dataset.Split

	From  *model.Model     // the model to begin from; nil: random rows
	Links *model.ItemLinks // item links of the whole training part; nil: Run finds them
	// A catalogue, of which the items that nobody likes, or too few, enter the model by what is known of them; nil:
	// they stay out.
	Cold *coldstart.Items

	NoModel   bool   // train and measure only: Run returns no model
	Precision string // how the file keeps the Gaussians: "float32", "float16" or "int8"; "": float16
	WithUsers bool   // keep the users' Gaussians and ids in the file; visitors need none, and no id may be an address
	Program   string // its version, in the file; "": Version

	Checkpoints *Checkpoints  // nil: none are kept
	Curves      string        // folder for the learning curves, curve.csv and curve.png; "": none
	MaxTime     time.Duration // the best model so far is what there is then; 0: no limit

	// Events is called with what happens, never concurrently; nil: nobody listens.
	Events func(Event)
	// Explain words the error of a training that was stopped; nil: as it stands in training.StoppedError.
	Explain func(*training.StoppedError) string
}

// maxFloat16 is the largest finite number of that precision.
const maxFloat16 = 65504

// complete returns the options with what their zero values stand for, and an error for what contradicts itself.
func (o Options) complete(d *dataset.Dataset) (Options, error) {
	if o.Settings == (Settings{}) {
		s, err := Preset(pmlam.DefaultPreset)
		if err != nil {
			return o, err
		}
		o.Settings = s
	}
	if o.Split.Train == nil {
		o.Split.Train = d.Positives
	}
	if o.Precision == "" {
		o.Precision = model.Float16.String()
	}
	if o.Program == "" {
		o.Program = Version
	}
	s := &o.Settings
	if err := s.Validate(); err != nil {
		return o, err
	}
	if o.ByHand == nil {
		o.ByHand = s.Changed()
	}
	if o.WithUsers && !o.NoModel {
		if err := d.CheckUsers(); err != nil {
			return o, err
		}
	}
	precision, err := model.ParsePrecision(o.Precision)
	switch {
	case err != nil:
		return o, fmt.Errorf("the precision: %w", err)
	case !o.NoModel && precision == model.Float16 && s.Radius > maxFloat16:
		return o, &pmlam.ConfigError{Field: "radius", Value: s.Radius, Rule: fmt.Sprintf("%d at most, which is the "+
			"largest number of float16; take float32", maxFloat16)}
	case s.Epochs == 0 && o.From == nil:
		return o, &pmlam.ConfigError{Field: "epochs", Value: s.Epochs, Rule: "1 or more; without an epoch nothing is " +
			"learned"}
	case o.From != nil && o.From.Items.Dim() != s.Dim:
		return o, &pmlam.ConfigError{Field: "dim", Value: s.Dim, Rule: fmt.Sprintf("%d, as in the model to begin from",
			o.From.Items.Dim())}
	case o.From != nil && o.Measure.Train != nil:
		return o, errors.New("a training that begins from a model cannot be measured first on items that the model " +
			"may have learned from")
	case o.Links != nil && (s.Auto || o.Measure.Train != nil || o.calibrates(s)):
		return o, errors.New("item links that are given belong to all that is learned from and to settings that are " +
			"known before: choose nothing, calibrate nothing and measure no other split")
	case o.WithUsers:
		return o, d.CheckUsers()
	}
	return o, nil
}

// Checkpoints is a folder in which a Run keeps what it needs to go on: a later Run with the same data and options goes
// on where this one was stopped, and gives the same model.
type Checkpoints struct {
	folder  string
	every   time.Duration
	fresh   bool
	release func()
}

// OpenCheckpoints makes a folder and claims it for this process until Close: an error says that another one is at work
// there. every is the time from one checkpoint to the next, 0: after every batch. fresh starts anew, whatever the
// folder holds.
func OpenCheckpoints(folder string, every time.Duration, fresh bool) (*Checkpoints, error) {
	release, err := durable.Claim(folder)
	if err != nil {
		return nil, fmt.Errorf("checkpoints cannot be kept in %s: %w", folder, err)
	}
	return &Checkpoints{folder, every, fresh, release}, nil
}

// Close gives the folder back to other processes; the checkpoints stay. Of nil it does nothing.
func (c *Checkpoints) Close() {
	if c != nil {
		c.release()
	}
}

// Training names one of the trainings of a Run.
type Training struct {
	Purpose    Purpose
	Number, Of int // of the trainings to calibrate, from 1; else 0
}

// Purpose is what a training is for.
type Purpose string

// The purposes.
const (
	Keeping     Purpose = "training"    // the model
	Measuring   Purpose = "measuring"   // its quality: learned from a part, measured on the rest
	Calibrating Purpose = "calibrating" // without some people, on whom the model is calibrated
)

func (t Training) String() string {
	if t.Of == 0 {
		return string(t.Purpose)
	}
	return fmt.Sprintf("%s %d of %d", t.Purpose, t.Number, t.Of)
}

// folder returns where the training's files go: those of the model in base, the others' in folders of it.
func (t Training) folder(base string) string {
	switch {
	case base == "":
	case t.Purpose == Measuring:
		return filepath.Join(base, "measured")
	case t.Purpose == Calibrating:
		return filepath.Join(base, "calibrated", fmt.Sprint(t.Number))
	}
	return base
}

// ChoiceError says that the trials of an earlier choice, which the checkpoints hold, cannot be gone on from.
type ChoiceError struct{ Err error }

func (e *ChoiceError) Error() string { return e.Err.Error() }

func (e *ChoiceError) Unwrap() error { return e.Err }

// ChoiceStopped says that ctx ended while the settings were chosen.
type ChoiceStopped struct {
	Trials int // that were made
	Kept   bool
	Err    error
}

func (e *ChoiceStopped) Error() string {
	if !e.Kept {
		return e.Err.Error()
	}
	return fmt.Sprintf("the choice of settings was stopped after %d trials, from which the same options go on: %v",
		e.Trials, training.Cause(e.Err))
}

func (e *ChoiceStopped) Unwrap() error { return e.Err }
