package main

import (
	"fmt"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/siteconfig"
)

// checkPrivate finds what a model must not hold where everybody can read it: the ids of its users, and columns that
// look private and that the project neither names nor uses: pmlam train does not write those, but for other settings.
func checkPrivate(p *siteconfig.Project) error {
	m, err := model.ReadFile(p.Path(p.Train.Model))
	if err != nil {
		return nil // nothing of it can be read
	}
	if len(m.UserIDs) > 0 {
		return fmt.Errorf("%s holds the ids of %d users, which no visitor needs and everybody could read: train it "+
			"without --with-users", p.Train.Model, len(m.UserIDs))
	}
	named, reduced := append(p.Shown(), p.Data.Columns...), p.Reduced()
	for k, name := range m.Catalogue.Columns {
		why := dataset.PrivateColumn(name)
		if why == "" || slices.Contains(named, name) || reduced[name] != nil && (name != p.Rules.InStock ||
			len(p.Rules.Boosts) > 0 || onlyAvailable(m.Catalogue, k)) {
			continue
		}
		return fmt.Errorf("%s holds the column %q, which looks like %s and which everybody could read: run pmlam "+
			"train again, which leaves it out, or name it in columns under [data]", p.Train.Model, name, why)
	}
	return nil
}

// onlyAvailable reports whether a column says of items whether there are some, and not how many.
func onlyAvailable(c *catalogue.Catalogue, column int) bool {
	for i := range c.Items {
		values := c.Items[i].Values
		if column >= len(values) || values[column] == "" {
			continue
		}
		if v := values[column]; siteconfig.Availability(v) != v {
			return false
		}
	}
	return true
}
