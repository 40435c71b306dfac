package query

import (
	"errors"
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/recommend"
)

// The fields of rules and of their parts.
const (
	ruleFields   = "inStock, excluded, pinned, boost, atMost"
	boostFields  = "column, value, weight"
	atMostFields = "n, column"
)

// Rules parses the option rules of a request. It returns the engine with these rules in addition to its own, or the
// engine itself without rules. Ids that the model lacks are added to Unknown. Errors are of type *Error, about "rules".
func (r *Reader) Rules(v Value) (*recommend.Recommender, error) {
	o, err := r.readRules(v)
	if err != nil {
		return nil, err
	}
	engine, unknown, err := r.Engine.WithRules(o)
	if wrongRule, ok := errors.AsType[*recommend.RuleError](err); ok {
		return nil, wrong("rules", "rules, %s", wrongRule.Sentence)
	} else if err != nil {
		return nil, err
	}
	for _, id := range unknown {
		r.addUnknown(id)
	}
	return engine, nil
}

// readRules parses rules without looking at the catalogue.
func (r *Reader) readRules(v Value) (o recommend.Rules, err error) {
	if err := fields("rules", ruleFields, v); v.Kind() == Absent || err != nil {
		return o, err
	}
	if o.InStock, err = ruleText("inStock", v.Field("inStock")); err != nil {
		return o, err
	}
	for _, l := range []struct {
		name string
		to   *[]string
	}{{"excluded", &o.Excluded}, {"pinned", &o.Pinned}} {
		if *l.to, err = r.ids("rules", l.name, v.Field(l.name)); err != nil {
			return o, err
		}
	}
	if o.Boosts, err = r.boosts(v.Field("boost")); err != nil {
		return o, err
	}
	if m := v.Field("atMost"); m.Kind() != Absent {
		if err := fields("rules, atMost", atMostFields, m); err != nil {
			return o, err
		}
		if o.AtMost.Column, err = ruleText("atMost, column", m.Field("column")); err != nil {
			return o, err
		}
		n, err := Bounded("rules", m.Field("n"), 1, float64(r.Results), 0, true)
		if err != nil {
			return o, wrong("rules", "rules, atMost, n must be a whole number between 1 and %d", r.Results)
		}
		if o.AtMost.N = int(n); n == 0 || o.AtMost.Column == "" {
			return o, wrong("rules", "rules, atMost needs n and column, such as {n: 2, column: \"artist\"}")
		}
	}
	return o, nil
}

func (r *Reader) boosts(v Value) ([]recommend.Boost, error) {
	if v.Kind() == Absent {
		return nil, nil
	}
	if v.Kind() != List || v.Len() > recommend.MaxBoosts {
		return nil, wrong("rules", "rules, boost must be an array of at most %d, such as "+
			"[{column: \"margin\", weight: 1}]", recommend.MaxBoosts)
	}
	out := make([]recommend.Boost, v.Len())
	for i := range out {
		b, err := v.At(i), error(nil)
		if b.Kind() == Absent {
			return nil, wrong("rules", "rules, boost must be an object of "+boostFields)
		}
		if err = fields("rules, boost", boostFields, b); err != nil {
			return nil, err
		}
		if out[i].Column, err = ruleText("boost, column", b.Field("column")); err != nil {
			return nil, err
		}
		if value := b.Field("value"); value.Kind() != Absent {
			text, ok := Plain(value)
			if !ok || text == "" {
				return nil, wrong("rules", "rules, boost, value must be a non-empty text")
			}
			out[i].Value = text
		}
		weight := b.Field("weight")
		if weight.Kind() != Number {
			return nil, wrong("rules", "rules, boost, weight must be a number")
		}
		out[i].Weight = weight.Number()
	}
	return out, nil
}

// fields checks that v is an object with no other fields than these, or missing.
func fields(what, names string, v Value) error {
	switch v.Kind() {
	case Absent:
		return nil
	case Object:
		for _, name := range v.Names() {
			if !slices.Contains(strings.Split(names, ", "), name) {
				return noField(what, name, names)
			}
		}
		return nil
	}
	return wrong("rules", "%s must be an object of %s", what, names)
}

func ruleText(name string, v Value) (string, error) {
	switch v.Kind() {
	case Absent:
		return "", nil
	case Text:
		return v.Text(), nil
	}
	return "", wrong("rules", "rules, %s must be a text", name)
}
