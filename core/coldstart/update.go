package coldstart

import (
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
)

// Updated says what Update has changed.
type Updated struct {
	Known   int      `json:"known"`       // items of the model that the catalogue describes
	Items   int      `json:"items"`       // of these, of which something is other than it was
	Changes []Change `json:"changes"`     // what is other: title, year, genres, then columns in the model's order
	Columns []string `json:"new_columns"` // that the model did not have
}

// Change says of how many items one thing is other than it was.
type Change struct {
	Of    string `json:"of"` // "title", "year", "genres", or a column's name
	Items int    `json:"items"`
}

// Update returns m with what c says of items that m has: the texts of c's columns, empty ones too, and titles, years
// and genres where c has them. Columns that m lacks come behind its own, empty where c does not describe an item;
// columns that c lacks stay. Rows, counts, links, calibration and places on the map are those of m, which is not
// changed; a region of the map called by a genre that no item has any more loses that name. O(I·columns).
func Update(m *model.Model, c *catalogue.Catalogue) (*model.Model, *Updated) {
	out, was := *m, m.Catalogue
	out.Digest = ""
	is := &catalogue.Catalogue{Items: slices.Clone(was.Items), Columns: slices.Clone(was.Columns)}
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
		// A title that is the id is none (catalogue.Item).
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
