package reproduce

import (
	"fmt"
	"strings"

	"github.com/pmlam/pmlam/core/lab/tune"
)

// rate is what every method that is learned by gradient descent varies.
// Its upper end is far above what the sources name, since Adam here leaves rows alone that a batch does not touch: a
// rate of theirs of 0.001 may be one of 0.02 here (docs/baselines.md).
var rate = tune.Param{Name: "lr", Low: 0.0003, High: 0.05, Log: true}

// spaces are what trials vary of the methods of package baseline. Where the paper names a grid (its section "Experiment
// Settings") it is that; else the ranges that the sources search, or a decade to both sides of the default. What is not
// here, and is learned, varies its learning rate; what is not here and is not, has nothing to vary.
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

// SpaceTable returns what trials vary, method by method, and the defaults that the first trial has.
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
