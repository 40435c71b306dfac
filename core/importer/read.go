package importer

import (
	"bytes"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
)

// File is a file chosen by the visitor. Data is neither changed nor kept.
type File struct {
	Name string
	Data []byte
}

// Read reads all files into one Library: tables, JSON, XML, and zips of these, whose members inflate unpacks. If
// several sources rate one title, a rating in ratings.csv takes precedence, then any other rating; in a tie the later
// source wins. Unreadable files and rows are left out and reported in the Library, if anything else can be read.
// ratings names columns that hold the visitor's ratings, whatever their names suggest. The error is an *Error, or the
// error of pause. O(bytes).
func Read(files []File, inflate Inflate, pause Pause, ratings ...string) (*Library, error) {
	r := &reader{lib: &Library{}, known: map[string]int{}, inflate: inflate, pause: pause, ratings: ratings}
	left := MaxBytes
	for _, f := range files {
		if left -= len(f.Data); left < 0 {
			return nil, &Error{Reason: TooLarge, File: f.Name}
		}
	}
	r.total, left = MaxBytes-left, MaxBytes
	var parts []part
	for _, f := range files {
		inside, err := r.unpack(f, &left)
		if err == nil {
			parts = append(parts, inside...)
		} else if err = r.leave(err); err != nil {
			return nil, err
		}
	}
	for _, last := range [...]bool{false, true} { // ratings.csv is read last, so it has priority
		for _, p := range parts {
			if (p.base() != "ratings.csv") == last {
				continue
			}
			if err := r.leave(r.read(p)); err != nil {
				return nil, err
			}
		}
	}
	if len(r.lib.Sources) == 0 || len(r.lib.Entries) == 0 && r.lib.Bad == 0 {
		if len(r.lib.LeftOut) > 0 {
			return nil, r.lib.LeftOut[0]
		}
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

// part is a table to be read.
type part struct {
	name     string
	data     []byte
	optional bool  // one of several files, so it need not be a table of ratings
	grid     *grid // of a workbook, already read
}

func (p part) base() string { return strings.ToLower(p.name[strings.LastIndexByte(p.name, '/')+1:]) }

type reader struct {
	lib         *Library
	known       map[string]int // index of an entry by its key
	inflate     Inflate
	pause       Pause
	ratings     []string
	done, total int // bytes
}

func (r *reader) step() error { return r.pause.at(r.done, r.total) }

// leave records the error of a file that is left out, and returns any other error.
func (r *reader) leave(err error) error {
	if e := AsError(err); e != nil {
		if len(r.lib.LeftOut) < maxBad {
			r.lib.LeftOut = append(r.lib.LeftOut, e)
		}
		return nil
	}
	return err
}

// unpack returns the tables of a file. left is the number of unpacked bytes still allowed.
func (r *reader) unpack(f File, left *int) ([]part, error) {
	switch {
	case isZip(f.Data):
		return r.unzip(f, left)
	case bytes.HasPrefix(f.Data, gzipMagic):
		b, err := r.gunzip(f.Data, left)
		if why, is := err.(Reason); is {
			return nil, &Error{Reason: why, File: f.Name}
		}
		return []part{{name: strings.TrimSuffix(f.Name, ".gz"), data: b}}, err
	}
	return []part{{name: f.Name, data: f.Data}}, nil
}

// unzip unpacks the tables of a zip. left is the number of bytes still allowed. Letterboxd's folders deleted and
// orphaned, and its lists, are left out: they are not ratings.
func (r *reader) unzip(f File, left *int) ([]part, error) {
	all, why, ok := members(f.Data)
	if !ok {
		return nil, &Error{Reason: why, File: f.Name}
	}
	if sheet, is, err := r.workbook(all, left); is {
		if why, isReason := err.(Reason); isReason {
			err = &Error{Reason: why}
		}
		if e := AsError(err); e != nil {
			e.File = f.Name
		}
		sheet.name = f.Name
		return []part{sheet}, err
	}
	var out []part
	for i := range all {
		m := &all[i]
		name := strings.ReplaceAll(text(m.name), "\\", "/")
		under := "/" + strings.ToLower(name)
		if !isTable(under) || hasAny(under, "/deleted/|/orphaned/|/lists/|/__macosx/|/.") {
			continue
		}
		whole := f.Name + "/" + name
		if len(out) == maxTables {
			return nil, &Error{Reason: TooManyParts, File: f.Name}
		}
		b, err := r.member(m, left)
		if why, is := err.(Reason); is {
			r.leave(&Error{Reason: why, File: whole})
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, part{name: whole, data: b, optional: true})
	}
	return out, nil
}

// isTable reports whether a file in a zip may be a table, by its name.
func isTable(name string) bool {
	return among("csv|tsv|txt|json|xml", name[strings.LastIndexByte(name, '.')+1:])
}

// member unpacks a member of a zip. left is the number of bytes still allowed. The error is a Reason, or the error of
// pause.
func (r *reader) member(m *member, left *int) ([]byte, error) {
	if uint64(m.size) > uint64(*left) {
		return nil, TooLarge
	}
	*left -= int(m.size)
	r.total += int(m.size)
	b, err := m.unpack(r.inflate, r.step)
	if err == nil {
		r.done += len(m.packed)
		err = r.step()
	}
	return b, err
}

// read reads a table. In a zip, a table without ratings is left out.
func (r *reader) read(p part) error {
	before := r.done
	t, err := open(p, r.step)
	if err == io.EOF {
		err = Empty
	}
	e := AsError(err)
	if why, is := err.(Reason); is {
		e = &Error{Reason: why}
		if t.table != nil && why != Empty {
			e.Line = t.line()
		}
	}
	switch {
	case e != nil && p.optional:
		return nil
	case e != nil:
		e.File = p.name
		return e
	case err != nil:
		return err
	}
	h, ok := newHeader(t.head, t.below, t.nested, r.ratings)
	if !ok {
		if p.optional {
			return nil
		}
		return &Error{Reason: NoTitle, File: p.name, Line: t.line(), Value: text(cut(strings.Join(t.head, ", "), 200))}
	}
	if p.optional && h.format == Plain && h.at[roleRating] < 0 && h.at[roleWatched] < 0 && h.at[rolePlays] < 0 {
		return nil // a table of titles next to the ratings, as in MovieLens
	}
	s := len(r.lib.Sources)
	b := body{reader: r, header: h, file: p.name, source: s, kind: kindOf(p, &h), loose: t.nested}
	r.lib.Sources = append(r.lib.Sources, Source{Name: p.name, Format: h.format, Title: h.name[roleTitle],
		Year: h.name[roleYear], Rating: h.name[roleRating], More: h.more})
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
		if why, is := err.(Reason); is && t.skip() {
			b.lib.Rows++
			b.bad(t.line(), why, roles, "")
			continue
		}
		if err == nil && r.lib.Rows >= maxRows {
			err = TooManyRows
		}
		if err == nil {
			r.lib.Rows++
			b.rows++
			err = b.row(row, t.line())
		}
		if err != nil {
			r.lib.Sources, r.lib.Rows = r.lib.Sources[:s], r.lib.Rows-b.rows // discard everything from the file
			if why, is := err.(Reason); is {
				err = &Error{Reason: why, File: p.name, Line: t.line()}
			}
			return err
		}
	}
	r.done = before + len(p.data)
	r.lib.Sources[s].Rows = b.rows
	for i := range b.entries {
		r.add(&b.entries[i])
	}
	b.settle()
	return nil
}

// kindOf returns the Kind of titles about which the table says nothing else.
func kindOf(p part, h *header) Kind {
	base := p.base()
	switch {
	case hasAny(base, "watchlist|wishlist|merkliste|to-watch|to-read|want"):
		return Wished
	case h.format == Letterboxd && base == "films.csv": // Letterboxd's other files of films have other names
		return Hearted
	case h.at[roleListed] >= 0:
		return Listed
	case h.rates, h.at[roleWatched] >= 0, h.at[roleShelf] >= 0, h.format == Netflix,
		hasAny(base, "watched|history|seen|diary|viewed|viewing"):
		return Had
	}
	return Listed
}

// body reads the rows of one table.
type body struct {
	*reader
	header
	file    string
	source  int
	kind    Kind
	user    string
	rows    int
	loose   bool // a row without a title is something else, not a bad row
	entries []Entry
	top     float64 // the highest rating without a stated scale
	of      float64 // the scale that ratings state; −1: several
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

// row adds a row. An error ends the reading; errors in a single row are recorded.
func (b *body) row(row []string, line int) error {
	if len(row) > b.fields {
		for _, f := range row[b.fields:] {
			if len(f) > 0 { // a comma at the end of a line does not start a field
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
	guid := b.get(row, roleGuid)
	e := Entry{
		Title: b.get(row, roleTitle), Original: b.get(row, roleOriginal), Author: b.get(row, roleAuthor),
		Year: year(b.get(row, roleYear)), IMDb: imdbIn(b.get(row, roleIMDb)), ID: b.get(row, roleID),
		ISBN: isbn(b.get(row, roleISBN13)), Kind: b.kind, Form: formOf(b.get(row, roleType)),
		Source: b.source, Line: line,
	}
	if e.ISBN == 0 {
		e.ISBN = isbn(b.get(row, roleISBN))
	}
	if e.When = moment(b.get(row, roleWatched), b.days); e.When > 0 {
		e.watched = true
	} else {
		e.When = moment(b.get(row, roleDated), b.days)
	}
	e.TMDB, _, _ = number(b.get(row, roleTMDB))
	if e.IMDb == 0 {
		e.IMDb = ttNumber(guid)
	}
	if _, tmdb, ok := strings.Cut(guid, "tmdb://"); ok && e.TMDB == 0 {
		e.TMDB, _, _ = number(tmdb)
	}
	if e.Title != "" && e.Title == b.name[roleTitle] && b.get(row, roleRating) == b.name[roleRating] {
		return nil // the header again, from concatenated files
	}
	b.adapt(row, &e)
	if e.Title == "" && e.ID == "" && e.IMDb == 0 && e.TMDB == 0 {
		if !b.loose {
			b.bad(line, NoName, roles, "")
		}
		return nil
	}
	if s := b.get(row, roleRating); !isMissing(s) {
		rating, ok := parseRating(s)
		if scale := sites[b.format].scale; !ok || scale > 0 && rating.of == 0 && rating.value > scale {
			b.bad(line, NotARating, roleRating, s)
			return nil
		}
		b.rate(&e, rating)
	}
	if len(b.entries) == cap(b.entries) {
		b.entries = slices.Grow(b.entries, len(b.entries)+64)
	}
	b.entries = append(b.entries, e)
	return nil
}

func (b *body) rate(e *Entry, r rated) {
	e.Rated, e.Rating, e.Of = true, r.value, r.of
	switch {
	case r.of == 0:
		b.top = max(b.top, r.value)
	case b.of == 0 || b.of == r.of:
		b.of = r.of
	default:
		b.of = -1
	}
}

// adapt handles columns that only some tables have: shelves, counts, hearts, episodes, Netflix's thumbs.
func (b *body) adapt(row []string, e *Entry) {
	if b.get(row, roleEpisode) != "" {
		e.Form = Episode
	}
	if b.at[rolePlays] >= 0 && e.Kind != Wished {
		switch plays := strings.ToLower(b.get(row, rolePlays)); {
		case !among("|0|no|false|nein|non", plays):
			e.Kind = max(e.Kind, Had)
		case b.format != Goodreads:
			e.Kind = Listed
		}
	}
	if among("1|yes|true|x|ja|oui", strings.ToLower(b.get(row, roleLiked))) {
		e.Kind = Hearted
	}
	if hasAny(" "+catalogue.Fold(b.get(row, roleShelf))+" ", " to read | want | plan|watchlist|wishlist|想") {
		e.Kind = Wished
	}
	switch b.format {
	case Netflix:
		// Stars date from before 2017. Thumbs: 0 withdrawn, 1 down, 2 up, 3 two thumbs up.
		if i := b.thumbs; i >= 0 && i < len(row) && b.get(row, roleRating) == "" {
			if n, _, _ := number(row[i]); n > 0 {
				b.rate(e, rated{float64(min(n-1, 1)), 1})
			} else {
				e.Kind = Listed
			}
		}
		// "Dark: Season 1: Secrets"
		_, rest, part := strings.Cut(e.Title, ": ")
		if strings.Contains(rest, ": ") || part && formOf(rest) == Episode {
			e.Form = Episode
		}
	case Spotify, LastFM:
		e.Form = Song
	case Douban:
		if title, original, ok := strings.Cut(e.Title, " / "); ok {
			e.Title, e.Original = title, original
		}
	}
}

// add merges an entry into the library.
func (r *reader) add(e *Entry) {
	key := e.key()
	at, ok := r.known[key]
	if !ok {
		r.known[key] = len(r.lib.Entries)
		r.lib.Entries = append(r.lib.Entries, *e)
		return
	}
	old := &r.lib.Entries[at]
	old.Kind = max(old.Kind, e.Kind)
	if e.When > 0 && (old.When == 0 || e.watched || !old.watched) {
		old.When, old.watched = e.When, e.watched
	}
	if e.Rated {
		old.Rated, old.Rating, old.Of, old.Source, old.Line = true, e.Rating, e.Of, e.Source, e.Line
	}
}

// key identifies an entry's title within a library.
func (e *Entry) key() string {
	if e.Title == "" {
		return "\x00" + e.ID + "\x00" + strconv.Itoa(e.IMDb) + "\x00" + strconv.Itoa(e.TMDB)
	}
	return catalogue.Fold(e.Title) + "\x00" + strconv.Itoa(e.Year) + "\x00" + strconv.Itoa(e.IMDb) + "\x00" +
		catalogue.Fold(e.Author) + "\x00" + strconv.Itoa(int(e.Form))
}

// settle sets the table's scale, once all ratings are known.
func (b *body) settle() {
	s := &b.lib.Sources[b.source]
	of := sites[b.format].scale
	if of == 0 {
		of = b.scale
	}
	switch {
	case of >= b.top && of > 0:
		s.Scale, s.Told = of, true
	case b.of > 0 && b.of >= b.top:
		s.Scale, s.Told = b.of, true
	case b.of < 0 && b.top == 0: // each rating states its own
		s.Scale, s.Told = 10, true
	default:
		s.Scale = scaleOf(b.top)
	}
}
