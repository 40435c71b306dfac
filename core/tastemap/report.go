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
// centre. It fits a name as in model.Region.Fits, or lies around one of the two titles of the name: nearer to it than
// to the centre of any other region. O(n·regions).
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
		in := make([][]int, len(of))
		for i, k := range members(places, centres, parallel.Workers(0)) {
			in[k] = append(in[k], i)
		}
		named, fit := 0, 0
		for k, titles := range in {
			if of[k].Claims() {
				l.Named++
				named += len(titles)
				fit += fitting(places, c, centres, of, k, titles)
			}
		}
		l.Covered, l.Fit = float64(named)/float64(len(m.X)), float64(fit)/float64(max(named, 1))
		out = append(out, l)
	}
	return out
}

// fitting returns how many of region k's titles fit its name.
func fitting(places Rows, c *catalogue.Catalogue, centres []centre, of []model.Region, k int, titles []int) (n int) {
	a, b, around := of[k].Around()
	called := func(title string) int { // the best-known one
		best := -1
		for _, i := range titles {
			if x := &c.Items[i]; x.Title == title && (best < 0 || x.Count > c.Items[best].Count) {
				best = i
			}
		}
		return best
	}
	i, j := called(a), called(b)
	if around && (i < 0 || j < 0) {
		return 0
	}
	for _, t := range titles {
		if around && liesAround(places, centres, k, t, i, j) || !around && of[k].Fits(&c.Items[t]) {
			n++
		}
	}
	return n
}
