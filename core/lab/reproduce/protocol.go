package reproduce

import "fmt"

// Ks are the measured list lengths, the lengths in the paper's Figure 3.
var Ks = []int{5, 10, 15, 20, 25, 30}

// TableK is the list length of tables and tests.
const TableK = 10

// Protocol holds the choices of a study. The package comment describes everything else.
type Protocol struct {
	Folds  int    // number of folds measured, from the first; tables note fewer than 5
	Trials int    // per method and fold, including the one with defaults
	Epochs int    // most epochs of a method whose epochs validation chooses
	Seed   uint64 // of everything random

	// Patience is the number of validations without improvement, one every 10 epochs, that end a training whose epochs
	// validation chooses. A method may learn popularity first and stay there for a while, so too small a number stops
	// it there.
	Patience int
}

// validateEvery is the number of epochs between validations.
const validateEvery = 10

// Defaults are the command's defaults.
var Defaults = Protocol{Folds: Folds, Trials: 5, Epochs: 300, Seed: 1, Patience: 10}

// MaxTrials bounds the trials of a unit that a Store reads.
const MaxTrials = 1000

// Check returns an error for values out of range.
func (p Protocol) Check() error {
	switch {
	case p.Folds < 1 || p.Folds > Folds:
		return fmt.Errorf("the number of folds is %d; there are %d, so it must be 1 to %d", p.Folds, Folds, Folds)
	case p.Trials < 1 || p.Trials > MaxTrials:
		return fmt.Errorf("the number of trials is %d; it must be 1 to %d", p.Trials, MaxTrials)
	case p.Epochs < 1 || p.Epochs > 1e6:
		return fmt.Errorf("the number of epochs is %d; it must be 1 to 1000000", p.Epochs)
	case p.Patience < 1 || p.Patience > 1e6:
		return fmt.Errorf("the patience is %d validations; it must be 1 to 1000000", p.Patience)
	case p.Seed > 1<<53:
		return fmt.Errorf("the seed is %d; it must be at most 2^53", p.Seed)
	}
	return nil
}

// folds returns the number of splits of d to measure.
func (p Protocol) folds(d *Data) int { return min(p.Folds, d.Splits()) }
