//go:build !js || train

package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
)

func (v *values) provenance(p *Provenance) error {
	if p.Users < 0 || p.Interactions < 0 {
		return &Error{OutOfRange, -1, "content.provenance", fmt.Sprintf(
			"%d users and %d interactions: they must not be negative", p.Users, p.Interactions)}
	}
	for _, f := range p.texts() {
		v[f.at].text = *f.in
	}
	v[atTrainUsers].uint, v[atInteractions].uint, v[atSeed].uint = uint64(p.Users), uint64(p.Interactions), p.Seed
	names := make([]string, 0, len(p.Metrics))
	for name := range p.Metrics {
		names = append(names, name)
	}
	slices.Sort(names)
	figures := make([]float64, len(names))
	for i, name := range names {
		figures[i] = p.Metrics[name]
	}
	v[atMetricValues].bytes = planes64(figures)
	return v.texts(atMetricNames, names, "content.provenance.metricNames")
}

func (v *values) catalogue(c *catalogue.Catalogue) error {
	n := c.Len()
	ids, titles := make([]string, n), make([]string, n)
	years, counts := make([]byte, 2*n), make([]byte, 4*n)
	further := make([]string, len(c.Columns)*n)
	for i := range c.Items {
		item := &c.Items[i]
		ids[i], titles[i] = item.ID, item.Title
		if item.Year < math.MinInt16 || item.Year > math.MaxInt16 {
			return itemError(OutOfRange, "years", i, fmt.Sprintf(
				"year %d must lie between −32768 and 32767", item.Year))
		}
		putWord16(years, n, i, uint16(int16(item.Year)))
		if item.Count < 0 || item.Count > math.MaxInt32 {
			return itemError(OutOfRange, "counts", i, fmt.Sprintf("count %d must lie between 0 and 2^31−1", item.Count))
		}
		putWord32(counts, n, i, uint32(item.Count))
		// An item without values is empty in every column.
		if len(item.Values) != 0 && len(item.Values) != len(c.Columns) {
			return itemError(WrongShape, "columns", i, fmt.Sprintf(
				"%d values for %d columns", len(item.Values), len(c.Columns)))
		}
		for j, value := range item.Values {
			further[j*n+i] = value
		}
	}
	v[atYears].bytes, v[atCounts].bytes = years, counts
	for _, column := range []struct {
		at    leaf
		texts []string
		key   string
	}{
		{atIDs, ids, "ids"}, {atTitles, titles, "titles"},
		{atColumnNames, c.Columns, "columnNames"}, {atColumns, further, "columns"}, {atLeftOut, c.LeftOut, "leftOut"},
	} {
		if err := v.texts(column.at, column.texts, "content.catalogue."+column.key); err != nil {
			return err
		}
	}
	return v.genres(c)
}

// genres numbers the genres by first appearance, from 1, and writes every item's numbers followed by a 0.
func (v *values) genres(c *catalogue.Catalogue) error {
	var names []string
	number := map[string]uint16{}
	var lists []uint16
	for i := range c.Items {
		for _, g := range c.Items[i].Genres {
			x, ok := number[g]
			if !ok {
				if len(names) == maxGenres {
					return itemError(TooLarge, "genres", i, fmt.Sprintf("more than %d different genres", maxGenres))
				}
				names = append(names, g)
				x = uint16(len(names))
				number[g] = x
			}
			lists = append(lists, x)
		}
		lists = append(lists, 0)
	}
	column := make([]byte, 2*len(lists))
	for i, x := range lists {
		putWord16(column, len(lists), i, x)
	}
	v[atGenreLists].bytes = column
	return v.texts(atGenres, names, "content.catalogue.genres")
}

// texts fills in a column of texts.
func (v *values) texts(at leaf, texts []string, field string) error {
	column, i, ok := joinTexts(texts)
	if !ok {
		return &Error{BadText, -1, field, fmt.Sprintf("text %d, %.40q, holds a NUL", i, texts[i])}
	}
	v[at].text = column
	return nil
}

func itemError(r Reason, column string, i int, detail string) error {
	return &Error{r, -1, "content.catalogue." + column, fmt.Sprintf("item %d: %s", i, detail)}
}
