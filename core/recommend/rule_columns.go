package recommend

import (
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
)

// RulesFor adapts o to a model with these columns. If a column of InStock or of a boost by numbers is shown unchanged,
// the rule uses the model's second column for rules (catalogue.RuleColumn), whose texts are already reduced.
func RulesFor(o Rules, columns []string) Rules {
	fit := func(name string) string {
		if other := catalogue.RuleColumn(name); slices.Contains(columns, other) {
			return other
		}
		return name
	}
	o.InStock = fit(o.InStock)
	o.Boosts = slices.Clone(o.Boosts)
	for i := range o.Boosts {
		if o.Boosts[i].Value == "" {
			o.Boosts[i].Column = fit(o.Boosts[i].Column)
		}
	}
	return o
}
