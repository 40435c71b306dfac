package importer

import (
	"io"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
)

// File is a file that the visitor chose. Data is neither changed nor kept.
type File struct {
	Name string
	Data []byte
}

// Read reads all files into one Library: tables, and zips of tables, whose members inflate unpacks. Where several speak
// of one title, a rating counts more than none, that of a file ratings.csv more than others, and among equals the later
// one. The error is an *Error, or what pause returned. O(bytes).
func Read(files []File, inflate Inflate, pause Pause) (*Library, error) {
	r := &reader{lib: &Library{}, known: map[string]int{}, inflate: inflate, pause: pause}
	var tables []part
	left := MaxBytes
	for _, f := range files {
		if left -= len(f.Data); left < 0 {
			return nil, &Error{Reason: TooLarge, File: f.Name}
		}
	}
	r.total, left = MaxBytes-left, MaxBytes
	for _, f := range files {
		if !isZip(f.Data) {
			tables = append(tables, part{name: f.Name, data: f.Data})
			continue
		}
		inside, err := r.unzip(f, &left)
		if err != nil {
			return nil, err
		}
		tables = append(tables, inside...)
	}
	for _, last := range [...]bool{false, true} { // ratings.csv is read last, so that it counts most
		for _, t := range tables {
			if (t.base() == "ratings.csv") != last {
				continue
			}
			if err := r.read(t); err != nil {
				return nil, err
			}
		}
	}
	if len(r.lib.Entries) == 0 && r.lib.Bad == 0 {
		e := &Error{Reason: Empty}
		if len(files) > 0 {
			e.File = files[0].Name
			if isZip(files[0].Data) && len(r.lib.Sources) == 0 {
				e.Reason = ZipWithout
			}
		}
		return nil, e
	}
	return r.lib, nil
}

// part is a table that is still to be read.
type part struct {
	name   string
	data   []byte
	zipped bool // one among others: no error where it is no table of ratings
}

func (p part) base() string { return strings.ToLower(p.name[strings.LastIndexByte(p.name, '/')+1:]) }

type reader struct {
	lib         *Library
	known       map[string]int // what an entry is known by → its index
	inflate     Inflate
	pause       Pause
	done, total int // bytes
}

// step calls pause.
func (r *reader) step() error { return r.pause.at(r.done, r.total) }

// unzip unpacks the tables of a zip, left bytes of them at most. Letterboxd's folders deleted and
// orphaned, and its lists, are not ratings and are left out.
func (r *reader) unzip(f File, left *int) ([]part, error) {
	all, why, ok := members(f.Data)
	if !ok {
		return nil, &Error{Reason: why, File: f.Name}
	}
	var out []part
	for i := range all {
		m := &all[i]
		name := text(m.name)
		under := "/" + strings.ToLower(name)
		if !strings.HasSuffix(under, ".csv") && !strings.HasSuffix(under, ".tsv") &&
			!strings.HasSuffix(under, ".txt") ||
			strings.Contains(under, "/deleted/") || strings.Contains(under, "/orphaned/") ||
			strings.Contains(under, "/lists/") ||
			strings.Contains(under, "/__macosx/") || strings.Contains(under, "/.") {
			continue
		}
		whole := f.Name + "/" + name
		if len(out) == maxTables {
			return nil, &Error{Reason: TooManyParts, File: f.Name}
		}
		if uint64(m.size) > uint64(*left) {
			return nil, &Error{Reason: TooLarge, File: whole}
		}
		*left -= int(m.size)
		r.total += int(m.size)
		b, err := m.unpack(r.inflate, r.step)
		if why, is := err.(Reason); is {
			return nil, &Error{Reason: why, File: whole}
		}
		if err != nil {
			return nil, err
		}
		r.done += len(m.packed)
		if err := r.step(); err != nil {
			return nil, err
		}
		out = append(out, part{name: whole, data: b, zipped: true})
	}
	return out, nil
}

// read reads a table. In a zip, one that is no table of ratings is left out.
func (r *reader) read(p part) error {
	before := r.done
	t, err := newTable(p.data)
	var row []string
	if err == nil {
		row, err = t.next()
	}
	if err == io.EOF {
		err = Empty
	}
	if err != nil {
		if p.zipped {
			return nil
		}
		return r.fail(p, t, err)
	}
	h, ok := newHeader(row)
	if !ok {
		if p.zipped {
			return nil
		}
		return &Error{Reason: NoTitle, File: p.name, Line: t.begin}
	}
	if p.zipped && h.format == Plain && h.at[roleRating] < 0 {
		return nil // a table of titles beside ratings, as MovieLens has one
	}
	s := len(r.lib.Sources)
	r.lib.Sources = append(r.lib.Sources, Source{Name: p.name, Format: h.format})
	b := body{reader: r, header: h, file: p.name, source: s, kind: kindOf(p, h.format)}
	for n := 0; ; n++ {
		if n%64 == 63 {
			r.done = before + t.done()
			if err := r.step(); err != nil {
				return err
			}
		}
		row, err := t.next()
		if err == io.EOF {
			break
		}
		if err != nil {
			return r.fail(p, t, err)
		}
		if r.lib.Rows == maxRows {
			return &Error{Reason: TooManyRows, File: p.name, Line: t.begin}
		}
		r.lib.Rows++
		r.lib.Sources[s].Rows++
		if err := b.row(row, t.begin); err != nil {
			return err
		}
	}
	r.done = before + len(p.data)
	b.settle()
	return nil
}

// fail adds the place to the table's error.
func (r *reader) fail(p part, t *table, err error) error {
	why, is := err.(Reason)
	if !is {
		return err
	}
	e := &Error{Reason: why, File: p.name}
	if t != nil && why != Empty {
		e.Line = t.begin
	}
	return e
}

// kindOf returns what a table lists, by its file's name in Letterboxd's export.
func kindOf(p part, f Format) Kind {
	switch under := "/" + strings.ToLower(p.name); {
	case strings.HasPrefix(p.base(), "watchlist"):
		return Wished
	case f == Letterboxd && strings.HasSuffix(under, "/likes/films.csv"):
		return Hearted
	}
	return Had
}

// body reads the rows of one table.
type body struct {
	*reader
	header
	file   string
	source int
	kind   Kind
	user   string
	top    float64 // the highest rating
	of     float64 // the scale that ratings name
}

func (b *body) bad(line int, why Reason, r role, value string) {
	b.lib.Bad++
	if len(b.lib.Why) < maxBad {
		e := &Error{Reason: why, File: b.file, Line: line, Value: cut(value, 40)}
		if r < roles {
			e.Column = b.name[r]
		}
		b.lib.Why = append(b.lib.Why, e)
	}
}

// row takes a row in. An error ends the reading; what is wrong with one row alone is noted.
func (b *body) row(row []string, line int) error {
	if len(row) > b.fields {
		for _, f := range row[b.fields:] {
			if len(f) > 0 { // a comma at the end of a line is no field
				b.bad(line, RowTooLong, roles, "")
				return nil
			}
		}
	}
	if u := b.get(row, roleUser); u != "" {
		if b.user != "" && b.user != u {
			return &Error{Reason: ManyPeople, File: b.file, Line: line, Column: b.name[roleUser]}
		}
		b.user = u
	}
	e := Entry{
		Title: b.get(row, roleTitle), Original: b.get(row, roleOriginal), Author: b.get(row, roleAuthor),
		Year: year(b.get(row, roleYear)), IMDb: imdb(b.get(row, roleIMDb)), ID: b.get(row, roleID),
		ISBN: isbn(b.get(row, roleISBN13)), Kind: b.kind, Source: b.source, Line: line,
	}
	if e.ISBN == 0 {
		e.ISBN = isbn(b.get(row, roleISBN))
	}
	e.TMDB, _, _ = number(b.get(row, roleTMDB))
	if e.Title == "" && e.ID == "" && e.IMDb == 0 && e.TMDB == 0 {
		b.bad(line, NoName, roles, "")
		return nil
	}
	switch shelf := catalogue.Fold(b.get(row, roleShelf)); shelf {
	case "to read", "want to read", "plan to watch", "plan to read", "watchlist":
		e.Kind = Wished
	}
	if s := b.get(row, roleRating); s != "" {
		rating, ok := parseRating(s)
		if scale := b.format.scale(); !ok || scale > 0 && rating.value > scale {
			b.bad(line, NotARating, roleRating, s)
			return nil
		}
		e.Rated, e.Rating = true, rating.value
		b.top = max(b.top, rating.value)
		b.of = max(b.of, rating.of)
	}
	b.add(&e)
	return nil
}

// add merges an entry into the library.
func (b *body) add(e *Entry) {
	key := e.key()
	at, ok := b.known[key]
	if !ok {
		b.known[key] = len(b.lib.Entries)
		b.lib.Entries = append(b.lib.Entries, *e)
		return
	}
	old := &b.lib.Entries[at]
	old.Kind = max(old.Kind, e.Kind)
	if e.Rated {
		old.Rated, old.Rating, old.Source, old.Line = true, e.Rating, e.Source, e.Line
	}
}

// key identifies an entry's title within a library.
func (e *Entry) key() string {
	if e.Title == "" {
		return "\x00" + e.ID + "\x00" + strconv.Itoa(e.IMDb) + "\x00" + strconv.Itoa(e.TMDB)
	}
	return catalogue.Fold(e.Title) + "\x00" + strconv.Itoa(e.Year) + "\x00" + strconv.Itoa(e.IMDb) + "\x00" +
		catalogue.Fold(e.Author)
}

// settle fixes the table's scale once all ratings are known.
func (b *body) settle() {
	s := &b.lib.Sources[b.source]
	switch of := b.format.scale(); {
	case of > 0:
		s.Scale, s.Told = of, true
	case b.of > 0 && b.of >= b.top:
		s.Scale, s.Told = b.of, true
	default:
		s.Scale = scaleOf(b.top)
	}
}
