package reproduce

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/lab/reproduce/results"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
)

// boundRows are the rows of the table of bounds. fixed is the fixed margin m > 0; 0: learned.
var boundRows = []struct {
	name, title string
	fixed       float64
	set         func(c *choose.Settings)
}{
	{"points", "points, m = 1", 1, func(c *choose.Settings) {
		c.Deterministic = true
		printedBound(c)
		printedStep(c)
	}},
	{"sigma-1", "‖Σ‖ ≤ 1, s ≥ 0, m = 1", 1, func(c *choose.Settings) { printedBound(c); printedStep(c) }},
	{"stddev-1", "‖s‖ ≤ 1, m = 1", 1, func(c *choose.Settings) { c.Bound = pmlam.StddevBound; printedStep(c) }},
	{"stddev-2", "‖s‖ ≤ 1, m = 2", 2, func(c *choose.Settings) { c.Bound = pmlam.StddevBound; printedStep(c) }},
	{"joint-0.5", "‖[μ; s]‖ ≤ 1, m = .5", .5, printedStep},
	{"joint-0.75", "‖[μ; s]‖ ≤ 1, m = .75", .75, printedStep},
	{"joint-1", "‖[μ; s]‖ ≤ 1, m = 1", 1, printedStep},
	{"joint-1.25", "‖[μ; s]‖ ≤ 1, m = 1.25", 1.25, printedStep},
	{"joint-smooth", "‖[μ; s]‖ ≤ 1, smooth hinge, m = .2", .2, func(c *choose.Settings) {
		printedOuter(c)
		c.UnitProxy = false
	}},
	{"sigma-printed", "‖Σ‖ ≤ 1, s ≥ 0, adaptive as printed", 0,
		func(c *choose.Settings) { printedBound(c); printedStep(c) }},
	{"joint-printed", "‖[μ; s]‖ ≤ 1, adaptive as printed", 0, printedStep},
	{"outer-hinge", "‖[μ; s]‖ ≤ 1, adaptive, outer hinge of m = 1", 0, func(c *choose.Settings) {
		printedOuter(c)
		c.Temperature = 0.25
	}},
	{"adaptive", "preset adaptive", 0, func(*choose.Settings) {}},
}

// printedBound sets the paper's bounds on rows: ‖μ‖ ≤ 1, ‖Σ‖ ≤ 1, s ≥ 0.
func printedBound(c *choose.Settings) { c.Bound, c.Signed = pmlam.SigmaBound, false }

// printedOuter sets the paper's outer loss for learned margins.
func printedOuter(c *choose.Settings) { c.OuterLoss = pmlam.OuterHinge }

// printedStep sets the paper's hinge as the inner loss and, for learned margins, its proxy Θ − αG and its outer loss.
func printedStep(c *choose.Settings) {
	printedOuter(c)
	c.Smooth, c.Temperature = false, 1
	c.UnitProxy, c.Alpha = false, 0.001
}

// Bounds returns rows of Table 3 with the other bounds that the paper may have meant, fixed margins that fit each
// bound, and preset adaptive. Each row is preset adaptive, which has neither the user-user nor the item-item loss, with
// the change that it names; s may be negative except under ‖Σ‖ ≤ 1. Only the number of epochs is chosen, by one trial.
// names selects rows of BoundNames; without names all rows are returned. The error names an unknown row.
func Bounds(negatives int, p Protocol, names ...string) ([]Method, error) {
	base, err := presetConfig("adaptive", negatives, p)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		if !slices.Contains(BoundNames(), name) {
			return nil, fmt.Errorf("unknown row %q; choose from %s", name, strings.Join(BoundNames(), ", "))
		}
	}
	var all []Method
	for _, row := range boundRows {
		if len(names) > 0 && !slices.Contains(names, row.name) {
			continue
		}
		cfg := base
		if row.fixed > 0 {
			cfg.Margin, cfg.MarginValue = pmlam.Fixed, row.fixed
		}
		row.set(&cfg)
		name := results.Ablation + row.name
		if cfg == base {
			name = adaptiveMethod
		}
		all = append(all, newMethod(name, row.title, cfg, nil))
	}
	return all, nil
}

// BoundNames returns the names of the rows of Bounds, in order.
func BoundNames() (all []string) {
	for _, row := range boundRows {
		all = append(all, row.name)
	}
	return all
}

// swept reports whether a row of Bounds belongs to the sweep: Gaussians with the paper's hinge and a fixed margin.
func (o *Outcome) swept() bool {
	cfg := o.Method.settings.(choose.Settings)
	return cfg.Margin == pmlam.Fixed && !cfg.Smooth && !cfg.Deterministic
}

// bestFixed returns the row of the sweep with the highest mean NDCG on the validation parts; nil without any.
func bestFixed(all []*Outcome) (best *Outcome) {
	top := math.Inf(-1)
	for _, o := range all {
		if v := o.validated(); o.swept() && v > top {
			best, top = o, v
		}
	}
	return best
}

// validated returns the chosen trial's NDCG@10 on the validation part, as a mean over the measured folds; NaN without
// any.
func (o *Outcome) validated() float64 {
	return o.average(func(m *Measurement) float64 {
		if m.Chosen < 0 {
			return math.NaN()
		}
		return m.Trials[m.Chosen].NDCG
	})
}

// BoundsTable returns the table of Bounds on one data set. Each row is compared with the fixed margin and bound that
// validate best. all are outcomes of Bounds' methods.
func BoundsTable(all []*Outcome, p Protocol) Table {
	d := all[0].Data
	best := bestFixed(all)
	t := Table{
		Title: "Bounds and margins, " + d.Name,
		Head: []string{"Rows and margins", "validation N@10", "R@10", "against", "p", "N@10", "against", "p",
			"ideal of 10", "folds", "epochs", "learning, s"},
	}
	for _, o := range all {
		row := cells(o.Method.Title, figureText(o.validated(), math.NaN()))
		for _, m := range shown {
			v, deviation := o.Figure(m.name, tableAt)
			row = append(row, Cell{Text: figureText(v, deviation)})
			step := cells("", "")
			if best == o {
				step = cells("best fixed", "")
			} else if best != nil {
				if c, ok := Compare(o, best, m.name, p.Seed); ok {
					step = cells(percent(c.Share), chance(c.T.P))
				}
			}
			row = append(row, step...)
		}
		row = append(row, cells(figureText(o.wholeNDCG()))...)
		t.Rows = append(t.Rows, append(row, ablationCells(o)...))
	}
	t.Legend = []string{fmt.Sprintf("Each row is preset adaptive (no relations, batches of 1,000) with the change "+
		"that it names. Epochs are chosen on the validation part (at most %d, stopped after %d validations without "+
		"improvement). p: paired t-test over users against the best fixed margin, which is the hinge on Gaussians "+
		"that is best on the validation parts. \"Ideal of 10\": NDCG@10 with an ideal list of ten for every user.",
		p.Epochs, p.Patience)}
	t.Notes = append(missingFoldsNote(all), deviceNote(all)...)
	if theirs, known := paperAblation[d.relative().Paper]; known && d.relative().Same {
		full := theirs[len(theirs)-1]
		t.Notes = append(t.Notes, fmt.Sprintf("The paper's PMLAM, with relations: R@10 %.4f, N@10 %.4f.", full.Recall,
			full.NDCG))
	}
	return t
}
