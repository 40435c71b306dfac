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

// Kind is the origin of a method.
type Kind uint8

// The kinds.
const (
	Plain      Kind = iota // fitted without gradient descent
	Literature             // learned by gradient descent
	Ours                   // PMLAM
)

// Method is a compared method: its name, the space of its trials, and its training.
type Method struct {
	Name  string // on the command line
	Title string // in tables
	Kind  Kind
	Paper string     // its column in the paper's Table 2; "" without one
	Space tune.Space // what trials vary, without the epochs; empty: nothing

	epochs   bool // validation chooses the number of epochs
	settings any  // everything else that decides the outcome, for the Store's hash
	study    any  // other measurements of the trained model instead of Recall and NDCG; nil: none

	// try makes a trial with values on train without its validation part.
	try func(ctx context.Context, w job, values map[string]string) (choose.Trial, error)
	// fit trains on all of train with the trial's settings; nil: the defaults.
	fit func(ctx context.Context, w job, t *choose.Trial) (eval.Scorer, error)
	// first has the values of the first trial: the defaults of the space.
	first map[string]string
}

// job is the input of a method's training.
type job struct {
	train   *dataset.Matrix // U×I
	seed    uint64          // of everything random, including the validation part
	workers int
	device  *pmlam.Device     // where PMLAM trains and ranks; nil: the processor
	kept    *checkpointFolder // checkpoints of the training; nil: none
}

// validation is the validation part's share of each user's training items.
const validation = tune.DefaultShare

// hasTrials reports whether validation decides anything with this budget of trials.
func (m *Method) hasTrials(budget int) bool {
	return m.epochs || budget > 1 && len(m.Space) > 0
}

// trials returns the method's number of trials within a budget: one if only its epochs are chosen.
func (m *Method) trials(budget int) int {
	switch {
	case !m.hasTrials(budget):
		return 0
	case len(m.Space) == 0:
		return 1
	}
	return budget
}

// Methods of Table 2 that are also the last row of another table, measured once for both.
const (
	paperMethod    = "pmlam-paper"    // PMLAM as in the paper; Table 3
	adaptiveMethod = "pmlam-adaptive" // the stable form; the table of Bounds
)

// elsewhere names the methods that Table 2 leaves out; docs/leaderboard.md has their figures.
var elsewhere = []string{"slim", "turbocf", "simplex", "bsl"}

// Methods returns all methods of Table 2, the plainest first, for data with this number of negatives per pair.
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
		panic(err) // the presets named above exist
	}
	names := make([]string, len(all))
	for i := range all {
		names[i] = all[i].Name
	}
	return names
}

// Select returns the methods with the given names, in the order of all; without names, all of them.
func Select(all []Method, names []string) ([]Method, error) {
	var some []Method
	for _, m := range all {
		if len(names) == 0 || slices.Contains(names, m.Name) {
			some = append(some, m)
		}
	}
	for _, name := range names {
		if !slices.ContainsFunc(all, func(m Method) bool { return m.Name == name }) {
			return nil, fmt.Errorf("unknown method %q; choose from %s", name, strings.Join(MethodNames(), ", "))
		}
	}
	return some, nil
}

// text formats a number as settings files do.
func text(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
