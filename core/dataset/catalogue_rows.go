package dataset

import (
	"strings"
	"unicode/utf8"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/internal/people"
)

// itemID returns the id of an item as it is stored: tidied, and without a personal query. cut reports such a query.
func itemID(field []byte) (id []byte, cut bool) {
	id, cut = people.CutURL(trim(field))
	id, _ = tidyID(id)
	return id, cut
}

// index returns the number of the item that a line describes, and whether it exists. main says that the line is from
// the file with the titles.
func (d *describer) index(s *source, column int, id []byte, main bool) (i int, ok bool, err error) {
	id, cut := itemID(id)
	if cut {
		d.report.CutItems++
	}
	if d.all == nil {
		if i, ok = d.find(id); ok {
			d.met[i] = true
			d.hits++
		} else if main {
			d.report.Others++
		}
		if !ok && d.lookups < mostLookups {
			if d.lookups++; !d.knows(string(id)) {
				if d.misses++; d.other == "" {
					d.other = string(id)
				}
			}
		}
		return i, ok, nil
	}
	n, bad := d.all.add(id)
	switch {
	case bad != nil && bad.limit > 0:
		return 0, false, &LimitError{File: s.path, Line: s.line, What: bad.what, Limit: bad.limit}
	case bad != nil:
		return 0, false, s.bad(column, "", id, bad.what)
	case int(n) == len(d.seen):
		d.seen, d.cleaner.cleaned = append(d.seen, false), append(d.cleaner.cleaned, false)
		d.catalogue.Items = append(d.catalogue.Items, catalogue.Item{ID: string(id), Title: string(id)})
	}
	return int(n), true, nil
}

// row describes the item of one line. A bad line changes nothing.
func (d *describer) row(s *source, f [][]byte, have []string, id, title, year, genres int, further []int, movies,
	blanks bool) error {
	if len(d.withheld) > 0 {
		if item, _ := itemID(f[id]); d.withheld[string(d.like.id(item))] {
			return nil
		}
	}
	d.plain(f, title, genres, further)
	for c, to := range further {
		if text := trim(f[c]); to >= 0 && d.publish.Reduced[have[c]] != nil && len(text) > 0 {
			d.texts[to] = append(d.texts[to], string(text))
		}
	}
	i, ok, err := d.index(s, id, f[id], title >= 0)
	if !ok && err == nil && title >= 0 {
		d.leave(f[id], f[title], movies)
	}
	if !ok || err != nil {
		return err
	}
	for c := range f {
		if _, err := d.text(s, c, have[c], f[c]); err != nil {
			return err
		}
	}
	if err := d.public(s, f, have, title, genres, further); err != nil {
		return err
	}
	item := &d.catalogue.Items[i]
	if !d.seen[i] && title >= 0 {
		text := d.cleaner.title(i, f[title])
		name, y := SplitTitle(text)
		item.Year = y
		if year >= 0 {
			if published := d.year(f[year]); published != 0 {
				if item.Year = published; y != published {
					name = text // the number in the title is another year, or none: it belongs to the title
				}
			}
		}
		if movies {
			name = RestoreArticles(name)
		}
		if name != "" {
			item.Title = name
		}
	} else if year >= 0 && item.Year == 0 {
		item.Year = d.year(f[year])
	}
	if genres >= 0 && item.Genres == nil {
		text := d.cleaner.text(i, f[genres])
		g := splitGenres([]byte(text))
		if blanks {
			g = strings.Fields(text)
		}
		if err := s.checkGenres(g, genres, have[genres], f[genres]); err != nil {
			return err
		}
		item.Genres = g
	}
	for c, to := range further {
		if to < 0 {
			continue
		}
		for len(item.Values) <= to {
			item.Values = append(item.Values, "")
		}
		if item.Values[to] == "" {
			item.Values[to] = d.cleaner.text(i, f[c])
		}
	}
	d.seen[i] = d.seen[i] || title >= 0
	return nil
}

// plain removes HTML from the texts of a line, in f.
func (d *describer) plain(f [][]byte, title, genres int, further []int) {
	some := false
	for c := range f {
		if c == title || c == genres || further[c] >= 0 && d.uses[further[c]] == "published" {
			text, changed := plainHTML(f[c])
			f[c], some = text, some || changed
		}
	}
	if some {
		d.report.PlainHTML++
	}
}

// year reads the year of a line and counts texts that it cannot read.
func (d *describer) year(field []byte) int {
	y, ok := parseYear(field)
	if !ok {
		if d.report.UnreadYears++; d.report.UnreadYear == "" {
			d.report.UnreadYear = shorten(trim(field))
		}
	}
	return y
}

// public checks the fields of a line that a model would store, and returns an error if one holds personal data. It cuts
// personal queries off web addresses, in f.
func (d *describer) public(s *source, f [][]byte, have []string, title, genres int, further []int) error {
	for c := range f {
		what := "a text of the catalogue"
		switch {
		case c == title:
			what = "a title"
		case c == genres:
			what = "a genre"
		case further[c] < 0 || d.uses[further[c]] != "published":
			continue
		default:
			if address, cut := people.CutURL(trim(f[c])); cut {
				d.report.CutItems++
				f[c] = address
			}
		}
		if k := people.Find(f[c]); k != people.None {
			return s.bad(c, have[c], f[c], personal(what, k))
		}
	}
	return nil
}

// text checks one text of a catalogue, which may be written to model files and pages.
func (d *describer) text(s *source, column int, name string, b []byte) (string, error) {
	switch {
	case len(b) > maxField:
		return "", s.bad(column, name, b, "a text of the catalogue has at most 32,768 bytes")
	case !utf8.Valid(b):
		return "", s.bad(column, name, b, "the text must be valid UTF-8; save the file as UTF-8")
	}
	return string(trim(b)), nil
}

// checkGenres checks the genres of a field against the limits.
func (s *source) checkGenres(genres []string, column int, name string, field []byte) error {
	if len(genres) > maxGenres {
		return s.bad(column, name, field, "an item has at most 256 genres")
	}
	for _, g := range genres {
		if len(g) > maxTitle {
			return s.bad(column, name, field, "a genre has at most 4,096 bytes; genres are cut by |, ; or commas")
		}
	}
	return nil
}
