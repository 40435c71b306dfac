package dataset

import (
	"math"
	"slices"
)

// Names of the columns of a catalogue in plain form, the first found counts.
var (
	idNames   = append([]string{"id"}, commonNames[roleItem]...)
	yearNames = []string{"year", "releaseyear", "publicationyear", "yearpublished", "originalpublicationyear",
		"released", "jahr", "annee", "ano", "anno"}
	genreNames = []string{"genres", "genre", "categories", "category", "tags", "class", "kategorie", "kategorien",
		"producttype", "categorie", "categoria"}
)

// firstOf returns the column with the first of these plain names that there is, or −1.
func firstOf(have, names []string) int {
	for _, n := range names {
		if i := slices.IndexFunc(have, func(name string) bool { return plainName(name) == n }); i >= 0 {
			return i
		}
	}
	return -1
}

// idColumn returns the column of the ids: by a known name, or else the one with the most values that are item ids.
func (d *describer) idColumn(s *sample) int {
	if i := firstOf(s.names, idNames); i >= 0 {
		return i
	}
	found, most := -1, 0
	for i, name := range s.names {
		known := 0
		for _, v := range s.column(i) {
			if d.knows(v) {
				known++
			}
		}
		if m, ok := meaningOf(name); ok && m.role == roleItem {
			known++ // where nothing is known, the name decides
		}
		if known > most {
			found, most = i, known
		}
	}
	return found
}

// titleColumn returns the column of the titles: as asked for, or by its name, or −1. Where there is none, and another
// looks like titles, an error asks.
func (d *describer) titleColumn(path string, s *sample, id int, known bool) (int, error) {
	switch d.title {
	case "-":
		return -1, nil
	case "":
	default:
		i := named(s.names, d.title)
		if n, ok := number(d.title); ok && i < 0 && n < len(s.names) {
			i = n
		}
		if i < 0 {
			return -1, &ColumnError{File: path, Role: "title", Wanted: d.title,
				Have: (&layout{header: true, have: s.names}).numbered(s)}
		}
		return i, nil
	}
	found, best := -1, math.MaxInt
	for i, name := range s.names {
		if m, ok := meaningOf(name); ok && m.role == roleTitle && i != id && m.rank < best {
			found, best = i, m.rank
		}
	}
	for i := range s.names {
		if found >= 0 || known || !d.asked {
			break
		}
		if p := profileOf(s.column(i)); i != id && p.looksLikeText() && len(p.distinct)*10 >= p.filled*8 {
			return -1, &QuestionError{File: path, Role: "title", Column: s.names[i], Values: examples(s.column(i)),
				Why: "looks like the items' titles"}
		}
	}
	return found, nil
}
