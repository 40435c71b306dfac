//go:build !js

package model

import (
	"fmt"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model/internal/wire"
)

func wireProvenance(w *wire.Provenance, p *Provenance) error {
	if p.Users < 0 || p.Interactions < 0 {
		return &Error{OutOfRange, -1, "content.provenance", fmt.Sprintf(
			"%d users and %d interactions: they must not be negative", p.Users, p.Interactions)}
	}
	*w = wire.Provenance{
		Dataset:      p.Dataset,
		Users:        uint64(p.Users),
		Interactions: uint64(p.Interactions),
		Seed:         p.Seed,
		Preset:       p.Preset,
		Config:       p.Config,
		Program:      p.Program,
		Licence:      p.Licence,
		Attribution:  p.Attribution,
	}
	names := make([]string, 0, len(p.Metrics))
	for name := range p.Metrics {
		names = append(names, name)
	}
	slices.Sort(names)
	values := make([]float64, len(names))
	for i, name := range names {
		values[i] = p.Metrics[name]
	}
	var err error
	w.MetricNames, err = wireTexts(names, "content.provenance.metricNames")
	w.MetricValues = planes64(values)
	return err
}

func wireCatalogue(w *wire.Catalogue, c *catalogue.Catalogue) (err error) {
	n := c.Len()
	ids, titles := make([]string, n), make([]string, n)
	years, counts := make([]byte, 2*n), make([]byte, 4*n)
	further := make([]string, len(c.Columns)*n)
	for i := range c.Items {
		item := &c.Items[i]
		ids[i], titles[i] = item.ID, item.Title
		if item.Year < math.MinInt16 || item.Year > math.MaxInt16 {
			return itemError(OutOfRange, "years", i, fmt.Sprintf("year %d must lie between −32768 and 32767", item.Year))
		}
		putWord16(years, n, i, uint16(int16(item.Year)))
		if item.Count < 0 || item.Count > math.MaxInt32 {
			return itemError(OutOfRange, "counts", i, fmt.Sprintf("count %d must lie between 0 and 2^31−1", item.Count))
		}
		putWord32(counts, n, i, uint32(item.Count))
		// An item without values has none in any column.
		if len(item.Values) != 0 && len(item.Values) != len(c.Columns) {
			return itemError(WrongShape, "columns", i, fmt.Sprintf("%d values for %d columns", len(item.Values), len(c.Columns)))
		}
		for j, v := range item.Values {
			further[j*n+i] = v
		}
	}
	w.Years, w.Counts = years, counts
	if w.IDs, err = wireTexts(ids, "content.catalogue.ids"); err != nil {
		return err
	}
	if w.Titles, err = wireTexts(titles, "content.catalogue.titles"); err != nil {
		return err
	}
	if w.ColumnNames, err = wireTexts(c.Columns, "content.catalogue.columnNames"); err != nil {
		return err
	}
	if w.Columns, err = wireTexts(further, "content.catalogue.columns"); err != nil {
		return err
	}
	return wireGenres(w, c)
}

// wireGenres numbers the genres by first appearance, from 1, and writes every item's numbers followed by a 0.
func wireGenres(w *wire.Catalogue, c *catalogue.Catalogue) (err error) {
	var names []string
	number := map[string]uint16{}
	var lists []uint16
	for i := range c.Items {
		for _, g := range c.Items[i].Genres {
			v, ok := number[g]
			if !ok {
				if len(names) == maxGenres {
					return itemError(TooLarge, "genres", i, fmt.Sprintf("more than %d different genres", maxGenres))
				}
				names = append(names, g)
				v = uint16(len(names))
				number[g] = v
			}
			lists = append(lists, v)
		}
		lists = append(lists, 0)
	}
	w.GenreLists = make([]byte, 2*len(lists))
	for i, v := range lists {
		putWord16(w.GenreLists, len(lists), i, v)
	}
	w.Genres, err = wireTexts(names, "content.catalogue.genres")
	return err
}

// wireTexts joins a column of texts.
func wireTexts(texts []string, field string) (string, error) {
	column, i, ok := joinTexts(texts)
	if !ok {
		return "", &Error{BadText, -1, field, fmt.Sprintf("text %d, %.40q, holds a NUL", i, texts[i])}
	}
	return column, nil
}

func itemError(r Reason, column string, i int, detail string) error {
	return &Error{r, -1, "content.catalogue." + column, fmt.Sprintf("item %d: %s", i, detail)}
}
