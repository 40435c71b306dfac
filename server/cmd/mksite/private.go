package main

import (
	"fmt"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/siteconfig"
)

// checkPrivate rejects models with content that must not be public: ids of users, and private-looking columns that the
// project neither lists nor uses. pmlam train leaves these out with the current settings.
func checkPrivate(p *siteconfig.Project) error {
	m, err := model.ReadFile(p.Path(p.Train.Model))
	if err != nil {
		return nil // unreadable, so nothing would be published
	}
	if len(m.UserIDs) > 0 {
		return fmt.Errorf("%s contains the ids of %d users, which would be public: train it "+
			"without --with-users", p.Train.Model, len(m.UserIDs))
	}
	named, reduced := append(p.Shown(), p.Data.Columns...), p.Reduced()
	for k, name := range m.Catalogue.Columns {
		why := dataset.PrivateColumn(name)
		if why == "" || slices.Contains(named, name) || reduced[name] != nil && (name != p.Rules.InStock ||
			len(p.Rules.Boosts) > 0 || onlyAvailable(m.Catalogue, k)) {
			continue
		}
		return fmt.Errorf("%s contains the column %q, which looks like %s and would be public: run pmlam "+
			"train again to leave it out, or list it in columns under [data]", p.Train.Model, name, why)
	}
	return nil
}

// onlyAvailable reports whether a column contains only the availability of items, not their stock.
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
