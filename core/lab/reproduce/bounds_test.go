package reproduce

import (
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
)

// The rows of the table of bounds change the settings that they name, and nothing else.
func TestBoundsRows(t *testing.T) {
	p := Protocol{Epochs: 50, Patience: 3}
	all, err := Bounds(10, p)
	if err != nil {
		t.Fatal(err)
	}
	c := map[string]choose.Settings{}
	for i := range all {
		name, isRow := strings.CutPrefix(all[i].Name, "ablation-")
		if !isRow {
			name = strings.TrimPrefix(all[i].Name, "pmlam-")
		}
		c[name] = all[i].settings.(choose.Settings)
		cfg := c[name]
		if err := cfg.Validate(); err != nil || isRow == (name == "adaptive") {
			t.Errorf("%s: %v", all[i].Name, err)
		}
		if cfg.Epochs != 50 || cfg.Patience != 3 || cfg.Negatives != 10 || all[i].trials(9) != 1 {
			t.Errorf("%s: %+v", name, cfg)
		}
	}
	preset, err := presetConfig("adaptive", 10, p)
	if err != nil || len(c) != len(all) || c["adaptive"] != preset {
		t.Errorf("%v: the last row is not the preset: %+v", err, c["adaptive"])
	}
	some, err := Bounds(10, p, "adaptive", "joint-1")
	if err != nil || len(some) != 2 || some[0].Name != "ablation-joint-1" || some[1].Name != adaptiveMethod {
		t.Error(err, some)
	}
	if _, err := Bounds(10, p, "joint-7"); err == nil || !strings.Contains(err.Error(), `unknown row "joint-7"; choose from `) {
		t.Error(err)
	}
	change := func(from, to string, f func(c *choose.Settings)) {
		x := c[from]
		f(&x)
		if x != c[to] {
			t.Errorf("%s to %s changes more or less than it should: %+v, %+v", from, to, x, c[to])
		}
	}
	change("sigma-1", "points", func(c *choose.Settings) { c.Deterministic = true })
	change("joint-1", "sigma-1", func(c *choose.Settings) { c.Bound, c.Signed = pmlam.SigmaBound, false })
	change("joint-1", "stddev-1", func(c *choose.Settings) { c.Bound = pmlam.StddevBound })
	change("stddev-1", "stddev-2", func(c *choose.Settings) { c.MarginValue = 2 })
	for name, m := range map[string]float64{"joint-0.5": .5, "joint-0.75": .75, "joint-1.25": 1.25} {
		change("joint-1", name, func(c *choose.Settings) { c.MarginValue = m })
	}
	change("joint-1", "joint-printed", func(c *choose.Settings) { c.Margin = pmlam.Adaptive })
	change("joint-printed", "outer-hinge", func(c *choose.Settings) {
		c.Smooth, c.Temperature, c.UnitProxy, c.Alpha = true, .25, true, .1
	})
	change("joint-smooth", "adaptive", func(c *choose.Settings) {
		c.Margin, c.MarginValue, c.UnitProxy, c.OuterLoss = pmlam.Adaptive, 1, true, pmlam.OuterSoftmax
	})
	change("outer-hinge", "adaptive", func(c *choose.Settings) {
		c.Temperature, c.OuterLoss = .3, pmlam.OuterSoftmax
	})
}

// Every row is compared with the fixed margin of the sweep that validates best: not with a better one on the test part,
// nor with a smooth hinge or points.
func TestBoundsAreComparedByValidation(t *testing.T) {
	d := blocks(t)
	methods, err := Bounds(2, small)
	if err != nil {
		t.Fatal(err)
	}
	outcomes := Outcomes(UnitsOf(d, methods, small), run(t, d, methods, nil, 1, 2))
	best := bestFixed(outcomes)
	for _, o := range outcomes {
		cfg := o.Method.settings.(choose.Settings)
		if isSwept := cfg.Margin == pmlam.Fixed && !cfg.Smooth && !cfg.Deterministic; isSwept != o.swept() {
			t.Errorf("%s: swept is %v", o.Method.Name, !isSwept)
		} else if isSwept && o.validated() > best.validated() {
			t.Errorf("%s has %v, but %s was chosen with %v", o.Method.Name, o.validated(), best.Method.Name, best.validated())
		}
	}
	table := BoundsTable(outcomes, small)
	if len(table.Rows) != len(boundRows) {
		t.Fatalf("%d rows", len(table.Rows))
	}
	for i, row := range table.Rows {
		if len(row) != len(table.Head) {
			t.Errorf("row %d has %d cells", i, len(row))
		}
		if is := outcomes[i] == best; is != (row[3].Text == "best fixed") || !is && row[4].Text == "" {
			t.Errorf("row %d: %v", i, row)
		}
	}
	// Without figures nothing is compared, and the table says so.
	for _, o := range outcomes {
		o.Folds = make([]*Measurement, d.Splits())
	}
	if bestFixed(outcomes) != nil || BoundsTable(outcomes, small).Rows[0][2].Text != "–" {
		t.Error("a comparison without figures")
	}
}
