package model

import (
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
)

// Map is the map of tastes: the positions of the titles, and its regions.
type Map struct {
	X, Y    []float32 // I: positions in the unit square, one scale for both axes
	Regions []Region  // by ascending Level
}

// Region is a part of the map. At each level a title belongs to the region with the nearest centre.
//
// Genre, Or, From, To and Words are its name: a genre or either of two ("Comedy" or "Romance"), years (1980 to 1990 are
// the 1980s, 0 to 1960 everything before), both, or other words. A region without a true name has all of these empty.
type Region struct {
	Level     int     // 0 coarse to MaxLevel fine
	X, Y      float32 // its centre, in the unit square
	Genre, Or string  // of the catalogue's, or ""; Or only with a Genre
	From, To  int     // the first year of a decade, and the year after the last one; 0: open on this side
	Words     string  // or ""
}

// Claims reports whether the region is named by a genre or by years, which its titles match or not.
func (r *Region) Claims() bool { return r.Genre != "" || r.From != 0 || r.To != 0 }

// Fits reports whether an item has one of the region's genres and a year in its range. An item of unknown year is never
// in range.
func (r *Region) Fits(it *catalogue.Item) bool {
	if r.Genre != "" && !slices.Contains(it.Genres, r.Genre) && (r.Or == "" || !slices.Contains(it.Genres, r.Or)) {
		return false
	}
	return r.From == 0 && r.To == 0 || it.Year > 0 && it.Year >= r.From && (r.To == 0 || it.Year < r.To)
}

// MaxLevel is the finest level of regions.
const MaxLevel = 2

// For returns the map for another catalogue of the same items. Regions named by a genre that the items no longer have
// lose that name, which a file could not store. m is not changed. O(genres of all items + regions).
func (m *Map) For(c *catalogue.Catalogue) *Map {
	has := map[string]bool{"": true}
	for i := range c.Items {
		for _, g := range c.Items[i].Genres {
			has[g] = true
		}
	}
	out := *m
	out.Regions = slices.Clone(m.Regions)
	for i := range out.Regions {
		r := &out.Regions[i]
		if !has[r.Or] {
			r.Or = ""
		}
		if !has[r.Genre] {
			r.Genre, r.Or = r.Or, ""
		}
	}
	return &out
}

// Layout returns the model's map. Without one, all titles lie in the middle, without regions. O(I).
func (m *Model) Layout() *Map {
	if m.Map != nil {
		return m.Map
	}
	p := &Map{X: make([]float32, m.Items.Len()), Y: make([]float32, m.Items.Len())}
	for i := range p.X {
		p.X[i], p.Y[i] = 0.5, 0.5
	}
	return p
}
