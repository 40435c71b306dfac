package reproduce

import "fmt"

// Ks are the lengths of the lists that are measured: the paper's of Figure 3.
var Ks = []int{5, 10, 15, 20, 25, 30}

// TableK is the length that tables show, and tests are about.
const TableK = 10

// Protocol is what a study may choose. The package comment describes everything else.
type Protocol struct {
	Folds  int    // how many of the five folds are measured, the first ones; less than 5 is a cut that tables state
	Trials int    // for each method on each fold, the one with its defaults included
	Epochs int    // most epochs of a method whose number of them a validation chooses
	Seed   uint64 // of everything random

	// Patience is the number of validations without improvement, one every 10 epochs, that end a training whose epochs
	// a validation chooses. A method may learn popularity first and stay there for a while, so too small a number stops
	// it there.
	Patience int
}

// validateEvery is how many epochs lie between two looks at the validation part.
const validateEvery = 10

// Defaults are the command's defaults.
var Defaults = Protocol{Folds: Folds, Trials: 5, Epochs: 300, Seed: 1, Patience: 10}

// MaxTrials bounds the trials of a unit that a Store reads.
const MaxTrials = 1000

// Check returns an error for values out of range.
func (p Protocol) Check() error {
	switch {
	case p.Folds < 1 || p.Folds > Folds:
		return fmt.Errorf("%d folds cannot be measured; there are %d, so it must be 1 to %d", p.Folds, Folds, Folds)
	case p.Trials < 1 || p.Trials > MaxTrials:
		return fmt.Errorf("%d trials cannot be made; it must be 1 to %d", p.Trials, MaxTrials)
	case p.Epochs < 1 || p.Epochs > 1e6:
		return fmt.Errorf("%d epochs cannot be made; it must be 1 to 1000000", p.Epochs)
	case p.Patience < 1 || p.Patience > 1e6:
		return fmt.Errorf("the patience is %d validations; it must be 1 to 1000000", p.Patience)
	case p.Seed > 1<<53:
		return fmt.Errorf("the seed %d is above 2^53", p.Seed)
	}
	return nil
}

// folds returns how many splits of d are measured.
func (p Protocol) folds(d *Data) int { return min(p.Folds, d.Splits()) }
