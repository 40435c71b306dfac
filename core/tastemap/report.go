package tastemap

import (
	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/model"
)

// LevelReport measures the names of a level's regions.
type LevelReport struct {
	Level   int     `json:"level"`
	Regions int     `json:"regions"`
	Named   int     `json:"named"`
	Covered float64 `json:"labelled"` // share of the titles in a region with a name
	Fit     float64 `json:"labelFit"` // share of these that fit the name
}

// RegionsReport measures the regions of a map at each of its levels. Each title belongs to the region with the nearest
// centre. A region whose name is free text counts as unnamed. O(n·regions).
func RegionsReport(m *model.Map, c *catalogue.Catalogue) (out []LevelReport) {
	places := Places(m)
	for level := range levels {
		var of []model.Region
		var centres []centre
		for _, r := range m.Regions {
			if r.Level == level {
				of, centres = append(of, r), append(centres, centre{x: r.X, y: r.Y})
			}
		}
		if len(of) == 0 {
			continue
		}
		l := LevelReport{Level: level, Regions: len(of)}
		for _, r := range of {
			if r.Claims() {
				l.Named++
			}
		}
		in, fit := 0, 0
		for i, k := range members(places, centres, parallel.Workers(0)) {
			if !of[k].Claims() {
				continue
			}
			in++
			if of[k].Fits(&c.Items[i]) {
				fit++
			}
		}
		l.Covered, l.Fit = float64(in)/float64(len(m.X)), float64(fit)/float64(max(in, 1))
		out = append(out, l)
	}
	return out
}
