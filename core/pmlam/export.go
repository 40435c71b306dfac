package pmlam

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
)

// Export says what goes into a model file beside what was learned.
type Export struct {
	Config    Config
	Precision model.Precision
	WithUsers bool               // keep the users' Gaussians; a visitor needs none
	Metrics   map[string]float64 // held-out quality, measured elsewhere
	Program   string             // version of the program
	ItemItem  *model.ItemLinks   // the sparse part beside the distance, found on what was learned from; nil: none

	Calibration *model.Calibration // fitted for what was learned (package study/calibrate); nil: none
}

// radius returns the radius that a model keeps: +Inf where the ball is larger than any number that a model holds.
func radius(c *Config) float32 {
	if c.Radius > model.MaxNumber {
		return float32(math.Inf(1))
	}
	return float32(c.Radius)
}

// Model packs what was learned on d into a model, ready to be written. The plane of its map is fitted here.
// O(I·h²).
func (r *Result) Model(d *dataset.Dataset, e Export) (*model.Model, error) {
	if r.Items.Len() != d.Items.Len() {
		return nil, errors.New("the result was not learned on this data set: their numbers of items differ")
	}
	plane, err := FitPlane(r.Items)
	if err != nil {
		return nil, fmt.Errorf("finding the plane of the map: %w", err)
	}
	config, err := json.Marshal(e.Config)
	if err != nil {
		return nil, fmt.Errorf("writing the settings down: %w", err)
	}
	c := &e.Config
	m := &model.Model{
		Provenance: model.Provenance{
			Dataset: d.Name, Users: d.Users.Len(), Interactions: d.Positives.Len(),
			Seed: c.Seed, Preset: c.Preset, Config: string(config),
			Metrics: e.Metrics, Program: e.Program,
			Licence: d.Licence, Attribution: d.Attribution,
		},
		Objective: model.Objective{
			Loss: c.loss(), Composition: c.composition(),
			Radius: radius(c), LearnRate: float32(c.LearnRate),
		},
		Precision: e.Precision,
		Items:     r.Items,
		Catalogue: d.Catalogue,
		Plane:     plane,
		Margins:   model.Margins{UserItem: r.UserItem, UserUser: r.UserUser, ItemItem: r.ItemItem},
		ItemItem:  e.ItemItem,

		Calibration: e.Calibration,
	}
	if e.WithUsers {
		m.Users, m.UserIDs = r.Users, d.Users.Strings()
	}
	return m, nil
}
