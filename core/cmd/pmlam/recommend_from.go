package main

import (
	"bytes"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/recommend"
)

// imported counts the titles in the files of --from, each once. It is also their JSON.
type imported struct {
	Titles   int      `json:"titles"`
	Liked    int      `json:"liked"`
	Disliked int      `json:"disliked"`
	Seen     int      `json:"seen"`
	Wished   int      `json:"wished"` // on watchlists, which do not count
	Listed   int      `json:"listed"` // on a list, in a library, or in a table without ratings
	Series   int      `json:"series"` // series and episodes, if the model has none
	Unsure   []string `json:"unsure"` // titles with several possible items, or with one of another name; left out
	Unknown  int      `json:"unknown"`
	BadRows  int      `json:"bad_rows"`
	Tables   []table  `json:"tables"`
	LeftOut  []string `json:"left_out"` // files that could not be read, with reasons
}

// table describes a file and the columns taken; "" for a missing column.
type table struct {
	File   string  `json:"file"`
	Format string  `json:"format"` // the site that wrote it; "": unknown
	Rows   int     `json:"rows"`
	Title  string  `json:"title"`
	Year   string  `json:"year"`
	Rating string  `json:"rating"`
	Scale  float64 `json:"scale"` // highest rating
}

// shownUnsure is the number of unsure titles in the text; JSON has the others too.
const shownUnsure = 5

// importRatings adds the files of --from to v, with the page's default choices: certain matches, and titles that match
// a single item. Marks already in v stay.
func (q *recommendRun) importRatings(ctx context.Context, r *recommend.Recommender, v *recommend.Visit) (*imported,
	error) {
	files := make([]importer.File, len(q.imports))
	for i, path := range q.imports {
		data, err := readExport(path)
		if err != nil {
			return nil, err
		}
		files[i] = importer.File{Name: filepath.ToSlash(path), Data: data}
	}
	pause := func(int, int) error { return ctx.Err() }
	l, err := importer.Read(files, inflate, pause)
	if err != nil {
		return nil, err
	}
	matcher, err := importer.NewMatcher(r, pause)
	if err != nil {
		return nil, err
	}
	matches, err := matcher.Match(l, pause)
	if err != nil {
		return nil, err
	}
	said := map[int]bool{}
	for _, list := range [][]int{v.Likes, v.Dislikes, v.Seen} {
		for _, item := range list {
			said[item] = true
		}
	}
	out := &imported{BadRows: l.Bad, Unsure: []string{}, Tables: []table{}, LeftOut: []string{}}
	for _, s := range l.Sources {
		out.Tables = append(out.Tables, table{s.Name, s.Format.String(), s.Rows, s.Title, s.Year, s.Rating, s.Scale})
	}
	for _, err := range l.LeftOut {
		out.LeftOut = append(out.LeftOut, err.Error())
	}
	for _, m := range matches {
		if m.Again {
			continue
		}
		out.Titles++
		e := &l.Entries[m.Entry]
		mark := importer.DefaultMeaning.Mark(l, e)
		item := m.Likely()
		switch {
		case m.Other:
			out.Series++
			continue
		case mark == importer.Ignored && e.Kind == importer.Listed:
			out.Listed++
			continue
		case mark == importer.Ignored:
			out.Wished++
			continue
		case item < 0 && len(m.Candidates) > 0:
			where := l.Sources[e.Source].Name
			if e.Line > 0 {
				where += fmt.Sprintf(", line %d", e.Line)
			}
			out.Unsure = append(out.Unsure, fmt.Sprintf("%s: %q may be %s", where, e.Title,
				name(r, m.Candidates[0].Item)))
			continue
		case item < 0:
			out.Unknown++
			continue
		}
		list, count := &v.Seen, &out.Seen
		switch mark {
		case importer.Liked:
			list, count = &v.Likes, &out.Liked
		case importer.Disliked:
			list, count = &v.Dislikes, &out.Disliked
		}
		*count++
		if !said[item] {
			said[item] = true
			*list = append(*list, item)
		}
	}
	q.printReport(out)
	if len(v.Likes)+len(v.Dislikes) == 0 {
		return nil, fmt.Errorf("%s: no liked or disliked title in it is in the model; add some with --like",
			strings.Join(q.imports, ", "))
	}
	return out, nil
}

// printReport prints the counts of titles, and how to correct unsure ones.
func (q *recommendRun) printReport(i *imported) {
	var parts []string
	for _, part := range []struct {
		n    int
		what string
	}{
		{i.Liked, "liked"}, {i.Disliked, "disliked"}, {i.Seen, "seen"}, {i.Wished, "only wished for"},
		{i.Listed, "only listed"}, {i.Series, "series and episodes"},
		{len(i.Unsure), "unsure and left out"}, {i.Unknown, "not in the catalogue"},
	} {
		if part.n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", part.n, part.what))
		}
	}
	for k, t := range i.Tables[:min(len(i.Tables), shownUnsure)] {
		q.Notef("%s", cli.Line(t.columns()))
		if k == shownUnsure-1 && len(i.Tables) > shownUnsure {
			q.Notef("… and %s more", counted(len(i.Tables)-shownUnsure, "table"))
		}
	}
	for _, why := range i.LeftOut {
		q.Notef("left out: %s", cli.Line(why))
	}
	q.Notef("of %s in %s: %s", counted(i.Titles, "title"), strings.Join(q.imports, ", "), strings.Join(parts, ", "))
	if i.BadRows > 0 {
		q.Notef("%s could not be read", counted(i.BadRows, "row"))
	}
	for _, title := range i.Unsure[:min(len(i.Unsure), shownUnsure)] {
		q.Notef("unsure: %s", title)
	}
	if more := len(i.Unsure) - shownUnsure; more > 0 {
		q.Notef("… and %d more; --json lists them", more)
	}
	if len(i.Unsure) > 0 {
		q.Notef("add the right ones with --like, --dislike or --seen")
	}
}

// columns describes the columns taken.
func (t *table) columns() string {
	var parts []string
	for _, c := range []struct{ of, name string }{{"titles", t.Title}, {"years", t.Year}, {"ratings", t.Rating}} {
		if c.name != "" {
			parts = append(parts, fmt.Sprintf("%s from %q", c.of, c.name))
		}
	}
	if t.Rating == "" {
		parts = append(parts, "no ratings column")
	} else {
		parts[len(parts)-1] += fmt.Sprintf(" of %g", t.Scale)
	}
	return t.File + ": " + strings.Join(parts, ", ")
}

// readExport reads a file, but not more than importer.MaxBytes and one byte.
func readExport(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, importer.MaxBytes+1))
	if err != nil {
		return nil, err
	}
	if len(b) > importer.MaxBytes {
		return nil, &importer.Error{Reason: importer.TooLarge, File: path}
	}
	return b, nil
}

// inflate is an importer.Inflate.
func inflate(packed []byte, size int) ([]byte, error) {
	r := flate.NewReader(bytes.NewReader(packed))
	b, err := io.ReadAll(io.LimitReader(r, int64(size)+1)) // one byte more, to detect larger files
	return b, errors.Join(err, r.Close())
}

// counted returns a count with its noun.
func counted(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return strconv.Itoa(n) + " " + thing + "s"
}
