package pmlam

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/tastemap"
)

// Export holds the parts of a model file that the training does not produce.
type Export struct {
	Config    Config
	Settings  string  // all settings as JSON, which the file keeps; "": the Config
	Prior     float32 // κ: the weight of an unknown user in a visitor's mean, in likes (gaussian.Composition)
	LinkPrior float32 // c of model.Objective.LinkShare
	NoRarity  bool    // model.Objective.NoRarity
	Precision model.Precision
	WithUsers bool               // keep the users' Gaussians; a visitor needs none
	Metrics   map[string]float64 // held-out quality, measured elsewhere
	Program   string             // version of the program
	ItemItem  *model.ItemLinks   // sparse item links, built on the training part; nil: none

	Calibration *model.Calibration // fitted to the result (package train/calibrate); nil: none
}

// radius returns the radius to store in a model: +Inf if the ball is larger than any number that a model holds.
func radius(c *Config) float32 {
	if c.Radius > model.MaxNumber {
		return float32(math.Inf(1))
	}
	return float32(c.Radius)
}

// positive returns tables with the same distances in which every s is at least gaussian.MinStddev. W2² is the squared
// distance of rows, so adding the same number to dimension d of every s, here −min s_d, does not change it. Users' rows
// are shifted with the items'. Tables that are already positive are returned as they are. Sums round to float32, 1e-7
// of s. O((U+I)·h).
func positive(items, users *gaussian.Table) (_, _ *gaussian.Table) {
	h := items.Dim()
	least := make([]float32, h)
	each := func(f func(s []float32)) {
		for _, table := range []*gaussian.Table{items, users} {
			for i := range table.Len() {
				f(table.Stddev(i))
			}
		}
	}
	lowest := float32(gaussian.MinStddev)
	for d := range least {
		least[d] = math.MaxFloat32
	}
	each(func(s []float32) {
		for d, v := range s {
			least[d] = min(least[d], v)
			lowest = min(lowest, v)
		}
	})
	if lowest >= gaussian.MinStddev {
		return items, users
	}
	items, users = items.Clone(), users.Clone()
	each(func(s []float32) {
		for d, v := range s {
			s[d] = max(v-least[d], 0) + gaussian.MinStddev
		}
	})
	return items, users
}

// Model packs the result of a training on d into a model, ready to be written. Its map is the plain one
// (tastemap.Plain), which takes no time; tastemap.Compute makes a better one from the file's content. O(I·h²).
func (r *Result) Model(d *dataset.Dataset, e Export) (*model.Model, error) {
	if r.Items.Len() != d.Items.Len() {
		return nil, errors.New("the result is not from this data set: the numbers of items differ")
	}
	c := &e.Config
	settings := e.Settings
	if settings == "" {
		b, err := json.Marshal(c)
		if err != nil {
			return nil, fmt.Errorf("encoding the settings: %w", err)
		}
		settings = string(b)
	}
	composition := c.composition()
	composition.Prior = e.Prior
	items, users := positive(r.Items, r.Users)
	m := &model.Model{
		Provenance: model.Provenance{
			Dataset: d.Name, Users: d.Users.Len(), Interactions: d.Positives.Len(),
			Seed: c.Seed, Preset: c.Preset, Config: settings,
			Metrics: e.Metrics, Program: e.Program,
			Licence: d.Licence, Attribution: d.Attribution,
		},
		Objective: model.Objective{
			Loss: c.loss(), Composition: composition,
			Radius: radius(c), LearnRate: float32(c.LearnRate), LinkPrior: e.LinkPrior,
			NoRarity: e.NoRarity,
		},
		Precision: e.Precision,
		Items:     items,
		Catalogue: d.Catalogue,
		Map:       tastemap.Plain(items),
		Margins:   model.Margins{UserItem: r.UserItem, UserUser: r.UserUser, ItemItem: r.ItemItem},
		ItemItem:  e.ItemItem,

		Calibration: e.Calibration,
	}
	if e.WithUsers {
		m.Users, m.UserIDs = users, d.Users.Strings()
	}
	return m, nil
}
