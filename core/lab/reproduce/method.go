package reproduce

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/lab/methods"
	"github.com/pmlam/pmlam/core/lab/tune"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Kind says where a method comes from.
type Kind uint8

// The kinds.
const (
	Plain      Kind = iota // fitted without gradient descent
	Literature             // learned by gradient descent
	Ours                   // PMLAM
)

// Method is what is compared: a name, what its trials vary, and how it is fitted.
type Method struct {
	Name  string // on the command line
	Title string // in tables
	Kind  Kind
	Paper string     // its column in the paper's Table 2; "" where it has none
	Space tune.Space // what trials vary, without the epochs; empty: nothing

	epochs   bool // a validation chooses how many
	settings any  // everything else that decides the outcome, for the Store's hash
	shows    any  // what is measured of what was learned, where that is not Recall and NDCG

	// try makes a trial with values on train less its validation part.
	try func(ctx context.Context, w job, values map[string]string) (choose.Trial, error)
	// fit learns from all of train as the trial says; a nil trial is the defaults.
	fit func(ctx context.Context, w job, t *choose.Trial) (eval.Scorer, error)
	// first are the values of the first trial: the defaults of what the space varies.
	first map[string]string
}

// job is the input of a method's training.
type job struct {
	train   *dataset.Matrix // U×I
	seed    uint64          // of all that is random, the validation part too
	workers int
	device  *pmlam.Device     // where PMLAM trains and ranks; nil: the processor
	kept    *checkpointFolder // checkpoints of the training; nil: none
}

// validation is the share of each user's training items that the validation part takes.
const validation = tune.DefaultShare

// hasTrials reports whether there is anything that a validation decides with so many trials.
func (m *Method) hasTrials(budget int) bool {
	return m.epochs || budget > 1 && len(m.Space) > 0
}

// trials returns how many trials the method is given of a budget: one where only its epochs are to be chosen.
func (m *Method) trials(budget int) int {
	switch {
	case !m.hasTrials(budget):
		return 0
	case len(m.Space) == 0:
		return 1
	}
	return budget
}

// The methods of Table 2 that are the last row of another table too, and measured once for both.
const (
	paperMethod    = "pmlam-paper"    // PMLAM as in the paper; Table 3
	adaptiveMethod = "pmlam-adaptive" // as we read it; the table of Bounds
)

// elsewhere are the methods that Table 2 does not compare: docs/leaderboard.md has their figures.
var elsewhere = []string{"slim", "turbocf", "simplex", "bsl"}

// Methods returns everything that Table 2 compares, the plainest first, for data of which a pair has so many negatives.
func Methods(negatives int, p Protocol) ([]Method, error) {
	var all []Method
	for _, m := range methods.All() {
		if slices.Contains(elsewhere, m.Name) {
			continue
		}
		all = append(all, newBaselineMethod(m, negatives, p))
	}
	for _, v := range []struct{ name, title, paper, preset string }{
		{paperMethod, "PMLAM, as in the paper", "PMLAM", "paper"},
		{adaptiveMethod, "PMLAM, preset adaptive", "", "adaptive"},
		{"pmlam-best", "PMLAM, preset best", "", "best"},
		{"pmlam-hybrid", "PMLAM, preset hybrid", "", "hybrid"},
	} {
		cfg, err := presetConfig(v.preset, negatives, p)
		if err != nil {
			return nil, err
		}
		m := newMethod(v.name, v.title, cfg, tune.Spaces[v.preset])
		m.Paper = v.paper
		all = append(all, m)
	}
	return all, nil
}

// MethodNames returns the names of Methods.
func MethodNames() []string {
	all, err := Methods(2, Defaults)
	if err != nil {
		panic(err) // the presets that are named above exist
	}
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	return names
}

// Select returns those of all whose names are wanted, in their own order; all of them where none is named.
func Select(all []Method, names []string) ([]Method, error) {
	var some []Method
	for _, m := range all {
		if len(names) == 0 || slices.Contains(names, m.Name) {
			some = append(some, m)
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(m Method) bool { return m.Name == name }) {
			return nil, fmt.Errorf("there is no method %q; there are %s", name, strings.Join(MethodNames(), ", "))
		}
	}
	return some, nil
}

// text writes a number as it stands in a settings file.
func text(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
