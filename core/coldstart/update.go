package coldstart

import (
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
)

// Updated reports the changes of Update.
type Updated struct {
	Known   int      `json:"known"`       // the model's items that the catalogue describes
	Items   int      `json:"items"`       // of these, those with a change
	Changes []Change `json:"changes"`     // title, year, genres, then columns in the model's order
	Columns []string `json:"new_columns"` // columns added to the model
}

// Change counts the items whose value of one field has changed.
type Change struct {
	Of    string `json:"of"` // "title", "year", "genres", or a column's name
	Items int    `json:"items"`
}

// Update returns a copy of m with the facts that c states about m's items: the texts of c's columns, including empty
// ones, and titles, years and genres if c has them. Columns that m lacks are appended, empty for items that c does not
// describe; columns that c lacks stay. Rows, counts, links, calibration and places on the map stay as well. A region of
// the map loses its name if no item has that genre any more. O(I·columns).
func Update(m *model.Model, c *catalogue.Catalogue) (*model.Model, *Updated) {
	out, was := *m, m.Catalogue
	out.Digest = ""
	is := &catalogue.Catalogue{Items: slices.Clone(was.Items), Columns: slices.Clone(was.Columns), LeftOut: was.LeftOut}
	r := &Updated{Changes: []Change{}, Columns: []string{}}
	to := make([]int, len(c.Columns)) // column of c → column of the model
	for k, name := range c.Columns {
		if to[k] = is.Column(name); to[k] < 0 {
			to[k] = len(is.Columns)
			is.Columns, r.Columns = append(is.Columns, name), append(r.Columns, name)
		}
	}
	at := make(map[string]int, c.Len())
	for i := range c.Items {
		at[c.Items[i].ID] = i
	}
	names := append([]string{"title", "year", "genres"}, is.Columns...)
	facts := len(names) - len(is.Columns)
	changes := make([]int, len(names))
	for i := range is.Items {
		it := &is.Items[i]
		values := make([]string, len(is.Columns))
		copy(values, it.Values)
		it.Values = values
		k, ok := at[it.ID]
		if !ok {
			continue
		}
		r.Known++
		changed, about := false, &c.Items[k]
		count := func(of int, other bool) bool {
			if other {
				changes[of]++
				changed = true
			}
			return other
		}
		// A title equal to the id stands for a missing title (catalogue.Item).
		if count(0, about.Title != about.ID && about.Title != it.Title) {
			it.Title = about.Title
		}
		if count(1, about.Year != 0 && about.Year != it.Year) {
			it.Year = about.Year
		}
		if count(2, len(about.Genres) > 0 && !slices.Equal(about.Genres, it.Genres)) {
			it.Genres = about.Genres
		}
		for k, v := range about.Values {
			if count(facts+to[k], v != values[to[k]]) {
				values[to[k]] = v
			}
		}
		if changed {
			r.Items++
		}
	}
	for k, n := range changes {
		if n > 0 {
			r.Changes = append(r.Changes, Change{names[k], n})
		}
	}
	out.Catalogue = is
	if m.Map != nil {
		out.Map = m.Map.For(is)
	}
	return &out, r
}
