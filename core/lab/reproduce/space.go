package reproduce

import (
	"fmt"
	"strings"

	"github.com/pmlam/pmlam/core/lab/tune"
)

// rate is the learning rate, varied by every method learned by gradient descent. Its upper end is far above the
// sources' rates: Adam here leaves untouched rows alone, so a source's rate of 0.001 may be 0.02 here
// (docs/baselines.md).
var rate = tune.Param{Name: "lr", Low: 0.0003, High: 0.05, Log: true}

// spaces are the trials' spaces of the baselines: the paper's grid where it names one (its section "Experiment
// Settings"), otherwise the sources' ranges, or a decade around the default. Learned methods without an entry vary
// their learning rate; other methods without one have nothing to vary.
var spaces = map[string]tune.Space{
	"itemknn": {
		{Name: "neighbours", Low: 10, High: 1000, Log: true, Whole: true},
		{Name: "target", Low: 0, High: 1},
		{Name: "source", Low: 0, High: 1},
		{Name: "user", Low: 0, High: 1},
		{Name: "shrink", Low: 0, High: 100},
		{Name: "normalise", Values: []string{"0", "1"}},
		{Name: "centre", Values: []string{"0", "1"}},
	},
	"userknn": {
		{Name: "neighbours", Low: 10, High: 1000, Log: true, Whole: true},
		{Name: "shrink", Low: 0, High: 100},
	},
	"rp3beta": {
		{Name: "neighbours", Low: 10, High: 1000, Log: true, Whole: true},
		{Name: "alpha", Low: 0, High: 2},
		{Name: "beta", Low: 0, High: 1},
	},
	"ease": {{Name: "lambda", Low: 10, High: 2000, Log: true}},
	"ials": {
		{Name: "dim", Values: []string{"32", "64", "128"}, Ordered: true},
		{Name: "unobserved", Low: 0.001, High: 1, Log: true},
		{Name: "lambda", Low: 0.001, High: 0.1, Log: true},
	},
	"bprmf": {rate, {Name: "regularizer", Low: 0.00001, High: 0.1, Log: true}},
	"ncf":   {rate, {Name: "candidates", Values: []string{"0", "500"}}},
	"deepae": {
		rate,
		{Name: "positives", Values: []string{"5", "10", "15", "20"}, Ordered: true},
	},
	"cml": {rate, {Name: "covariance", Low: 0.1, High: 10, Log: true}},
	"lrml": {
		rate,
		{Name: "memories", Values: []string{"5", "10", "20", "25", "50", "100"}, Ordered: true},
		{Name: "learned", Values: []string{"0", "1"}},
	},
	"transcf": {
		rate,
		{Name: "distance", Values: []string{"0", "0.001", "0.01", "0.1"}, Ordered: true},
		{Name: "neighbours", Values: []string{"0", "0.001", "0.01", "0.1"}, Ordered: true},
	},
	"sml": {
		rate,
		{Name: "item", Low: 0.001, High: 1, Log: true},
		{Name: "margins", Low: 0.01, High: 10, Log: true},
	},
	"lightgcn": {rate, {Name: "layers", Values: []string{"1", "2", "3", "4"}, Ordered: true}},
}

// SpaceTable returns the spaces of the methods, with the defaults of the first trial.
func SpaceTable(methods []Method) Table {
	t := Table{Title: "What trials vary", Head: []string{"Method", "setting", "default", "tried"}}
	for _, m := range methods {
		name := m.Title
		for i := range m.Space {
			p := &m.Space[i]
			tried := strings.Join(p.Values, ", ")
			if p.Values == nil {
				tried = fmt.Sprintf("%g to %g", p.Low, p.High)
				if p.Log {
					tried += ", by ratio"
				}
			}
			if p.If != "" {
				tried += fmt.Sprintf(" (with %s = %s)", p.If, p.Only)
			}
			first, ok := m.first[p.Name]
			if !ok && p.If == "" {
				first = "by the data"
			}
			t.Rows = append(t.Rows, cells(name, p.Name, first, tried))
			name = ""
		}
		if len(m.Space) == 0 {
			t.Rows = append(t.Rows, cells(name, "", "", "nothing"))
		}
	}
	return t
}
