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

// Version is the version of the program, which Run writes into models. The linker sets it for releases (-X
// …/core/train.Version=…). It must not depend on the checkout, or the same seed would no longer give the same file.
var Version = "0.1.0"

// Settings are the settings of a training and of the steps before and after it.
type Settings = choose.Settings

// Preset returns the settings of a named preset (pmlam.Presets).
func Preset(name string) (Settings, error) { return choose.Preset(name) }

// Options control Run. The zero value trains the default preset on all interactions.
type Options struct {
	Settings Settings // start from a Preset; the zero value: the default preset
	// names of settings, as in a settings file, that the automatic choice must not change; nil: those that differ from
	// their preset's
	ByHand  []string
	Workers int           // goroutines; 0 or less: one per CPU. No result depends on it
	Device  *pmlam.Device // the device that trains and ranks; nil: the CPU

	// The training part and the test part. A nil Train means all interactions; a nil Test means that nothing is
	// measured.
	Split dataset.Split
	// An additional split, trained and measured first, so that a model of all interactions can state its quality. The
	// settings are then chosen on its training part. A nil Train means no such split.
	Measure dataset.Split

	From  *model.Model     // the model to continue from; nil: random rows
	Links *model.ItemLinks // item links found on the whole training part; nil: Run finds them
	// A catalogue. Its items without enough likes are added to the model by their descriptions; nil: they are left out.
	Cold *coldstart.Items
	// whether lists by recent items may have these items too, as for goods that people buy again; nil: as the data show
	// (dataset.Report.ComesAgain)
	Again *bool

	NoModel   bool   // train and measure only: Run returns no model
	Precision string // how the file stores the Gaussians: "float32", "float16" or "int8"; "": float16
	WithUsers bool   // store users' Gaussians and ids in the file; visitors need none, and ids must not be addresses
	Program   string // program version to store in the file; "": Version

	Checkpoints *Checkpoints  // nil: none are written
	Curves      string        // folder for the learning curves, curve.csv and curve.png; "": none
	MaxTime     time.Duration // when it is over, Run returns the best model so far; 0: no limit

	// Events receives progress reports, one at a time; nil: none are sent.
	Events func(Event)
	// Explain words the error of a stopped training; nil: the text of training.StoppedError.
	Explain func(*training.StoppedError) string
}

// maxFloat16 is the largest finite float16.
const maxFloat16 = 65504

// complete returns the options with defaults filled in, or an error if they contradict each other.
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
		return o, &pmlam.ConfigError{Field: "radius", Value: s.Radius, Rule: fmt.Sprintf("at most %d, the largest "+
			"float16; or store the model as float32", maxFloat16)}
	case s.Epochs == 0 && o.From == nil:
		return o, &pmlam.ConfigError{Field: "epochs", Value: s.Epochs, Rule: "at least 1"}
	case o.From != nil && o.From.Items.Dim() != s.Dim:
		return o, &pmlam.ConfigError{Field: "dim", Value: s.Dim, Rule: fmt.Sprintf("%d, as in the initial model",
			o.From.Items.Dim())}
	case o.From != nil && o.Measure.Train != nil:
		return o, errors.New("a training that continues from a model cannot set Measure: the model may already " +
			"have learned from the test part")
	case o.Links != nil && (s.Auto || o.Measure.Train != nil || o.calibrates(s)):
		return o, errors.New("given item links fit only the whole training part and settings fixed in advance: " +
			"turn off Auto and Calibrate, and leave Measure empty")
	case o.WithUsers:
		return o, d.CheckUsers()
	}
	return o, nil
}

// Checkpoints is a folder in which a Run saves its progress. A later Run with the same data and options continues where
// this one stopped, and gives the same model.
type Checkpoints struct {
	folder  string
	every   time.Duration
	fresh   bool
	release func()
}

// OpenCheckpoints creates a folder and locks it for this process until Close. It fails if another process has locked
// it. every is the time between checkpoints; 0 means after every batch. fresh ignores earlier checkpoints in the
// folder.
func OpenCheckpoints(folder string, every time.Duration, fresh bool) (*Checkpoints, error) {
	release, err := durable.Claim(folder)
	if err != nil {
		return nil, fmt.Errorf("cannot keep checkpoints in %s: %w", folder, err)
	}
	return &Checkpoints{folder, every, fresh, release}, nil
}

// Close unlocks the folder; the checkpoints stay. It does nothing if c is nil.
func (c *Checkpoints) Close() {
	if c != nil {
		c.release()
	}
}

// Training names one of the trainings of a Run.
type Training struct {
	Purpose    Purpose
	Number, Of int // counted among the calibration trainings, from 1; otherwise 0
}

// Purpose is the purpose of a training.
type Purpose string

const (
	Keeping     Purpose = "training"    // the model to return
	Measuring   Purpose = "measuring"   // its quality: trained on one part, measured on the other
	Calibrating Purpose = "calibrating" // trained without some users, to calibrate on them
)

func (t Training) String() string {
	if t.Of == 0 {
		return string(t.Purpose)
	}
	return fmt.Sprintf("%s %d of %d", t.Purpose, t.Number, t.Of)
}

// folder returns the folder of the training's files: base for the kept model, subfolders of base for the others.
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

// ChoiceError reports that the trials of an earlier choice, saved in the checkpoints, do not fit this run.
type ChoiceError struct{ Err error }

func (e *ChoiceError) Error() string { return e.Err.Error() }

func (e *ChoiceError) Unwrap() error { return e.Err }

// ChoiceStopped reports that ctx ended during the choice of settings.
type ChoiceStopped struct {
	Trials int // trials completed
	Kept   bool
	Err    error
}

func (e *ChoiceStopped) Error() string {
	if !e.Kept {
		return e.Err.Error()
	}
	return fmt.Sprintf("the choice of settings was stopped after %d trials; the same options continue from there: %v",
		e.Trials, training.Cause(e.Err))
}

func (e *ChoiceStopped) Unwrap() error { return e.Err }
