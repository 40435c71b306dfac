package model

import (
	"slices"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
)

// Map is the map of tastes: the positions of the titles, and its regions.
type Map struct {
	X, Y    []float32 // I: positions in the unit square, one scale for both axes
	Regions []Region  // by ascending Level
}

// Region is a part of the map. At each level a title belongs to the region with the nearest centre.
//
// Its name is what most of its titles share: a genre or either of two ("Comedy" or "Romance"), any of several values of
// further columns (Words, separated by |), or any of both, years (1980 to 1990 are the 1980s, 0 to 1960 everything
// before), or both. Otherwise Words are two titles that the others lie around (Around). A region without a true name
// has all of these empty.
type Region struct {
	Level     int     // 0 coarse to MaxLevel fine
	X, Y      float32 // its centre, in the unit square
	Genre, Or string  // of the catalogue's, or ""; Or only with a Genre
	From, To  int     // the first year of a decade, and the year after the last one; 0: open on this side
	Words     string  // or ""
}

// between separates the titles of Around: no value of a column has it, and older programs show a space.
const between = "\t"

// Around returns Words for a region around two titles.
func Around(a, b string) string { return a + between + b }

// Around returns the two titles that the region's name mentions; false if it has another kind of name.
func (r *Region) Around() (a, b string, ok bool) { return strings.Cut(r.Words, between) }

// Claims reports whether the region has a name.
func (r *Region) Claims() bool { return r.Genre != "" || r.From != 0 || r.To != 0 || r.Words != "" }

// Facts returns the values and genres of the region's name, of which its titles have one; none for a region around two
// titles.
func (r *Region) Facts() (out []string) {
	if _, _, around := r.Around(); !around && r.Words != "" {
		out = strings.Split(r.Words, "|")
	}
	for _, g := range []string{r.Genre, r.Or} {
		if g != "" {
			out = append(out, g)
		}
	}
	return out
}

// Fits reports whether an item has one of the region's Facts among its genres and the parts of its values, and a year
// in its range. An item of unknown year is never in range. It is false for a region around two titles.
func (r *Region) Fits(it *catalogue.Item) bool {
	facts := r.Facts()
	has := func(fact string) bool {
		return slices.Contains(it.Genres, fact) ||
			slices.ContainsFunc(it.Values, func(v string) bool { return strings.Contains("|"+v+"|", "|"+fact+"|") })
	}
	if r.Words != "" && len(facts) == 0 || len(facts) > 0 && !slices.ContainsFunc(facts, has) {
		return false
	}
	return r.From == 0 && r.To == 0 || it.Year > 0 && it.Year >= r.From && (r.To == 0 || it.Year < r.To)
}

// MaxLevel is the finest level of regions.
const MaxLevel = 2

// For returns the map for another catalogue of the same items. Regions named by a genre or values that no item has any
// more lose them: a file could not store such a genre. m is not changed. O(text of the catalogue).
func (m *Map) For(c *catalogue.Catalogue) *Map {
	has := map[string]bool{"": true}
	for i := range c.Items {
		for _, g := range c.Items[i].Genres {
			has[g] = true
		}
		for _, v := range c.Items[i].Values {
			for part := range strings.SplitSeq(v, "|") {
				has[part] = true
			}
		}
	}
	out := *m
	out.Regions = slices.Clone(m.Regions)
	for i := range out.Regions {
		r := &out.Regions[i]
		if _, _, around := r.Around(); !around {
			values := slices.DeleteFunc(strings.Split(r.Words, "|"), func(v string) bool { return !has[v] })
			r.Words = strings.Join(values, "|")
		}
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
