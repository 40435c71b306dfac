package reproduce

import (
	"context"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/lab/methods"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Every space names existing settings and contains their defaults, which are the first trial.
func TestSpacesFitTheirMethods(t *testing.T) {
	all, err := Methods(10, Protocol{Epochs: 50, Patience: 3})
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]*methods.Method{}
	for _, m := range methods.All() {
		known[m.Name] = m
	}
	for name := range spaces {
		if known[name] == nil {
			t.Errorf("a space names the unknown method %s", name)
		}
	}
	for _, m := range all {
		first := choose.Trial{State: choose.Complete, Values: m.first}
		for _, p := range m.Space {
			if v, ok := m.first[p.Name]; ok && !p.Holds(v) {
				t.Errorf("%s: the default %s = %s lies outside its space", m.Name, p.Name, v)
			}
			if b := known[m.Name]; b != nil && !slices.ContainsFunc(b.Settings,
				func(s baseline.Setting) bool { return s.Name == p.Name }) {
				t.Errorf("%s has no setting %s", m.Name, p.Name)
			}
		}
		if len(m.Space) == 0 {
			continue
		}
		// Every proposal is a setting that the method accepts.
		past := []choose.Trial{first}
		for n := 1; n < 12; n++ {
			v, err := m.Space.Propose(7, past)
			if err != nil {
				t.Fatalf("%s: %v", m.Name, err)
			}
			past = append(past, choose.Trial{Number: n, State: choose.Complete, Values: v, NDCG: float64(n%5) / 10})
			switch c := m.settings.(type) {
			case choose.Settings:
				cfg, err := choose.Apply(c, v)
				if err == nil {
					err = cfg.Validate()
				}
				if err != nil {
					t.Errorf("%s with %v: %v", m.Name, v, err)
				}
			case baseline.Values:
				r := registered{known[m.Name], c}
				if values, err := r.values(job{seed: 3}, v); err != nil || values[m.Space[0].Name] == 0 &&
					m.first[m.Space[0].Name] == "" {
					t.Errorf("%s with %v: %v", m.Name, v, err)
				}
			}
		}
		again, err := m.Space.Propose(7, past[:5])
		if err != nil || len(again) != len(past[5].Values) {
			t.Fatal(err)
		}
		for name, v := range again {
			if past[5].Values[name] != v {
				t.Errorf("%s: the same past proposes %s = %s and %s", m.Name, name, v, past[5].Values[name])
			}
		}
	}
	if _, err := Select(all, []string{"ease", "svd"}); err == nil {
		t.Error("an unknown method was selected")
	}
	if n := len(MethodNames()); n != len(all) || n < 16 {
		t.Errorf("%d names of %d methods", n, len(all))
	}
}

// The paper's methods and settings: same dimension, same negatives, and the columns of Table 2 are all there.
func TestMethodsAreThePapers(t *testing.T) {
	all, err := Methods(10, Protocol{Epochs: 50, Patience: 3})
	if err != nil {
		t.Fatal(err)
	}
	columns := map[string]bool{}
	for _, m := range all {
		columns[m.Paper] = true
		if m.Kind != Literature {
			continue
		}
		v := m.settings.(baseline.Values)
		if n, has := v["negatives"]; v["dim"] != 50 || has && n != 10 || v["epochs"] != 50 {
			t.Errorf("%s: %v", m.Name, v)
		}
	}
	for name, of := range paperQuality {
		if len(of) != 8 {
			t.Errorf("%s has %d columns", name, len(of))
		}
		for column := range of {
			if !columns[column] {
				t.Errorf("no method has the column %s", column)
			}
		}
	}
}

// The rows of Table 3, as the paper's text defines them.
func TestAblationRows(t *testing.T) {
	all, err := Ablation(10, Protocol{Epochs: 50, Patience: 3})
	if err != nil || len(all) != 8 {
		t.Fatal(err, len(all))
	}
	var c [8]choose.Settings
	for i := range all {
		c[i] = all[i].settings.(choose.Settings)
		if err := c[i].Validate(); err != nil {
			t.Errorf("(%d): %v", i+1, err)
		}
		if c[i].MarginValue != 1 || c[i].Negatives != 10 || c[i].Dim != 50 || all[i].trials(9) != 1 {
			t.Errorf("(%d): %+v", i+1, c[i])
		}
	}
	// Rows differ as the paper says, and in nothing else.
	change := func(from, to int, f func(c *choose.Settings)) {
		x := c[from-1]
		f(&x)
		if x != c[to-1] {
			t.Errorf("(%d) to (%d) changes more or less than it should", from, to)
		}
	}
	change(1, 2, func(c *choose.Settings) { c.Deterministic = false })
	change(1, 3, func(c *choose.Settings) { c.Margin = pmlam.Adaptive })
	change(3, 4, func(c *choose.Settings) { c.Input = "cat" })
	change(3, 5, func(c *choose.Settings) { c.Input = "add" })
	change(3, 6, func(c *choose.Settings) { c.Deterministic = false })
	change(6, 7, func(c *choose.Settings) { c.Relations = pmlam.FixedRelations })
	change(6, 8, func(c *choose.Settings) { c.Relations = pmlam.AdaptiveRelations })
	if c[7].Relations != pmlam.AdaptiveRelations || c[7].Margin != pmlam.Adaptive || c[7].Deterministic {
		t.Errorf("(8) is not PMLAM: %+v", c[7])
	}
	// Row (8) is measured as Table 2's PMLAM as in the paper, under the same hash.
	methods, err := Methods(10, Protocol{Epochs: 50, Patience: 3})
	if err != nil {
		t.Fatal(err)
	}
	store, d := &Store{Folder: "kept"}, &Data{}
	place := func(m *Method) string { return store.unit(Unit{d, m, 0}, Protocol{}).folder }
	k := slices.IndexFunc(methods, func(m Method) bool { return m.Title == "PMLAM, as in the paper" })
	if place(&all[7]) != place(&methods[k]) || place(&all[6]) == place(&all[7]) {
		t.Error("(8) is measured once for Table 3 and again for Table 2")
	}
}

// One real fold: the figures of two plain methods with defaults in docs/RESULTS.md, measured another way.
func TestRealFold(t *testing.T) {
	set, err := dataset.Load("../../../assets/data/ml-latest-small", dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	d, err := NewData(set, "ml-latest-small", nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	p := Protocol{Folds: 1, Trials: 1, Epochs: 1, Seed: 1, Patience: 4}
	methods := some(t, "popularity", "itemknn")
	units := UnitsOf(d, methods, p)
	out, err := (&Study{Protocol: p, Units: units}).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []pair{{.1008, .1522}, {.1745, .2445}} {
		if got := out[i]; abs(got.Recall[tableAt]-want.Recall) > 0.00005 || abs(got.NDCG[tableAt]-want.NDCG) > 0.00005 {
			t.Errorf("%s: %.4f and %.4f", got.Method, got.Recall[tableAt], got.NDCG[tableAt])
		}
	}
	c, ok := Compare(Outcomes(units, out)[1], Outcomes(units, out)[0], eval.NDCG, 1)
	if !ok || c.Users != 563 || !(c.T.P < 1e-6) || !(c.W.P < 1e-6) || !(c.Difference.Low > 0.05) ||
		abs(c.Difference.Value-.0923) > 0.0001 {
		t.Errorf("%+v", c)
	}
}

func abs(x float64) float64 { return max(x, -x) }
