package dataset

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pmlam/pmlam/core/catalogue"
)

// describer fills a catalogue from files. Lines about other items are ignored.
type describer struct {
	items     *IDs
	known     *IDs // all ids of the interactions, to find the column of the ids
	catalogue *catalogue.Catalogue
	seen      []bool // described by some file
	report    *Report
	skip      bool
	cleaner   cleaner
	title     string    // the titles' column, as in Columns
	asked     bool      // the file was named in the options, so missing titles are reported
	met       []bool    // items that some line is about
	like      *likeness // how ids match; nil: they are equal
	idName    string    // name of the column of the ids
	item      string    // the items' column, as in Columns
	hits      int       // lines about items
	lookups   int       // lines about other items that were compared with known
	misses    int       // of these, lines about items that are not in the interactions
	other     string    // the first such id
	all       *interner // numbers the items if all are described; nil: only items are

	publish  Publish
	uses     []string        // of each of the catalogue's columns, as in ColumnUse
	texts    [][]string      // of each that is reduced: all of its texts
	withheld map[string]bool // ids of items that are not for the public
	scans    bool            // only these are looked for
	pages    bool            // the items are pages, whose addresses are compared by pageID
	host     string          // of most of them
	spelled  map[int]string  // by item: how the catalogue writes its address

	likes, touched []int32    // of known: its likes and interactions; nil: items that are left out are not noted
	left           []leftItem // items of known that are not in items
}

func newDescriber(items *IDs, c *catalogue.Catalogue, report *Report, o Options) *describer {
	return &describer{
		items: items, known: items, catalogue: c, seen: make([]bool, items.Len()),
		met: make([]bool, items.Len()), report: report, skip: o.SkipBadLines,
		cleaner: cleaner{report: report, cleaned: make([]bool, items.Len())}, title: o.Columns.Title,
		item:  o.Columns.Item,
		asked: o.Items != "", publish: o.Publish,
	}
}

// newCatalogue describes items by their ids and by how often m has them.
func newCatalogue(items *IDs, m *Matrix) *catalogue.Catalogue {
	c := &catalogue.Catalogue{Items: make([]catalogue.Item, items.Len())}
	for i := range c.Items {
		c.Items[i].ID = items.ID(i)
		c.Items[i].Title = c.Items[i].ID
	}
	for _, i := range m.Indices {
		c.Items[i].Count++
	}
	return c
}

// LoadCatalogue reads all items of the catalogue file or folder at path, numbered by their first appearance, and
// reports on it. Of the options only Columns.Item (if there is such a column), Columns.Title, Publish,
// SkipBadLines, Encoding and Tags apply. All counts are 0. Items that are not for the public are left out.
//
// Errors: *FileError, *ColumnError (no column is known for the ids, or none has the name asked for), *QuestionError
// (the titles' column must be named), *ParseError (the first bad line), *LimitError.
func LoadCatalogue(path string, o Options) (*catalogue.Catalogue, Report, error) {
	o.Items = path
	var report Report
	c := &catalogue.Catalogue{}
	by := newDescriber(new(IDs), c, &report, o)
	by.all = publicInterner()
	by.withheld = withheld(path, by.items, o)
	report.Withheld = slices.Sorted(maps.Keys(by.withheld))
	if err := by.read(path, o, nil); err != nil {
		return nil, report, err
	}
	by.number()
	switch {
	case c.Len() == 0 && len(report.Withheld) > 0:
		return nil, report, &FileError{Path: path, Reason: fmt.Sprintf("describes no item for the public: all %d are "+
			"drafts, archived or not published", len(report.Withheld))}
	case c.Len() == 0:
		return nil, report, &FileError{Path: path, Reason: "describes no item: there is a header and nothing below it"}
	}
	if err := by.checkNamed(path); err != nil {
		return nil, report, err
	}
	by.finish(&report)
	report.Titles = path
	return c, report, nil
}

// number ends the numbering of items: further files only describe existing ones.
func (d *describer) number() {
	if d.all != nil {
		d.items, d.all = d.all.ids(nil), nil
		d.met = make([]bool, d.items.Len())
	}
}

// describe reads the catalogue file or folder at path into d's.
func (d *Dataset) describe(by *describer, path string, o Options, p *progress) error {
	if err := by.read(path, o, p); err != nil {
		return err
	}
	if err := by.checkNamed(path); err != nil {
		return err
	}
	if err := by.checkMatch(path); err != nil {
		return err
	}
	by.finish(&d.Read)
	if by.like != nil {
		d.Read.Matched = by.like.name
	}
	return nil
}

// finish fills in missing texts, reduces the columns that are published in reduced form, and counts the items
// described.
func (d *describer) finish(report *Report) {
	one := make([]func(string) string, len(d.catalogue.Columns))
	for k, name := range d.catalogue.Columns {
		if d.uses[k] == "reduced" && d.publish.Scope != Everything {
			one[k] = d.publish.Reduced[name](d.texts[k])
		}
	}
	d.addRuleColumns(one)
	d.catalogue.LeftOut = d.leftOut()
	one = append(one, make([]func(string) string, len(d.catalogue.Columns)-len(one))...)
	for i := range d.catalogue.Items {
		item := &d.catalogue.Items[i]
		for len(item.Values) < len(d.catalogue.Columns) {
			item.Values = append(item.Values, "")
		}
		for k, v := range item.Values {
			if one[k] != nil && v != "" {
				item.Values[k] = one[k](v)
			}
		}
		if d.seen[i] {
			report.Described++
		}
	}
}

func (d *describer) read(path string, o Options, p *progress) error {
	folder, err := isFolder(path)
	if err != nil {
		return err
	}
	if folder {
		return d.folder(path, o, p)
	}
	if isParquet(path) {
		return inPlace(path, func(r io.ReaderAt, size int64) error { return d.parquet(path, r, size) })
	}
	s, err := openSource(path, p, o.Encoding)
	if err != nil {
		return err
	}
	defer s.close()
	err = d.file(s)
	d.report.NotRows += s.notRows
	d.encoded(s)
	return err
}

// encoded records the encoding of the catalogue, with a title as an example.
func (d *describer) encoded(s *source) {
	d.report.ItemsEncoding = s.encoding()
	for i := range d.catalogue.Items {
		if title := d.catalogue.Items[i].Title; beyondASCII(title) {
			d.report.ItemsExample = clip(title)
			break
		}
	}
}

// folder reads the catalogue in a folder: items.csv and the like, MovieLens' files, or else tables, which are read one
// after the other.
func (d *describer) folder(path string, o Options, p *progress) error {
	names := listed(path)
	for _, ext := range catalogueEnds {
		for _, suffix := range packings {
			if name := "items" + ext + suffix; slices.Contains(names, name) {
				return d.read(filepath.Join(path, name), o, p)
			}
		}
	}
	err := d.describeMovieLens(path, o, p)
	var format *FormatError
	if !errors.As(err, &format) {
		return err
	}
	if slices.Contains(names, "[Content_Types].xml") {
		return &FormatError{Path: path, Reason: "is a table of Excel; save it as CSV"}
	}
	if slices.Contains(names, "content.xml") && slices.Contains(names, "mimetype") {
		return &FormatError{Path: path, Reason: "is a table of LibreOffice; save it as CSV"}
	}
	tables, failed := tablesIn(path, nil, 0, func(name string) bool {
		stem, _, _ := strings.Cut(strings.ToLower(name), ".")
		return isCatalogue(name) && !slices.Contains(ownNames, stem)
	})
	if failed != nil {
		return failed
	}
	if len(tables) == 0 {
		return err
	}
	for _, t := range tables {
		failed := d.read(t.path, o, p)
		var column *ColumnError
		if len(tables) > 1 && errors.As(failed, &column) {
			return err
		}
		if failed != nil {
			return failed
		}
	}
	return nil
}

// file finds a catalogue file's format by its first line and reads it.
func (d *describer) file(s *source) error {
	if delimiter := excelDelimiter(s.peek(16)); delimiter != "" {
		if _, err := s.next(); err != nil {
			return s.fail(err)
		}
		return d.table(s, delimiter, false)
	}
	if is, other := isJSON(s.peek(sniffed)); is {
		t, body := newJSONTable(s)
		return d.columns(t, body, false, false)
	} else if other {
		return &FileError{Path: s.path, Reason: "is JSON in another form than JSON lines; write one object per line " +
			"(jq -c '.[]')"}
	}
	d.report.NotRows += s.skipPreamble(Options{})
	lines := completeLines(s.peek(sniffed), 1)
	if len(lines) == 0 {
		return &FileError{Path: s.path, Reason: "is empty; a catalogue has a header line and a line for each item"}
	}
	first := lines[0]
	switch {
	case strings.Count(string(first), "::") == 2:
		return d.moviesDat(s)
	case strings.Count(string(first), "|") == 4+len(genres100K):
		return d.uItem(s, genres100K)
	}
	delimiter := ""
	for _, c := range []string{"\t", ",", ";", "|"} {
		if strings.Contains(string(first), c) {
			delimiter = c
			break
		}
	}
	if delimiter == "" {
		delimiter = ","
	}
	return d.table(s, delimiter, strings.HasPrefix(string(first), "movieId,title,genres"))
}

// columnName checks the name of column i, counted from 0. Its error concerns the whole file, so skipping lines cannot
// avoid it.
func columnName(path string, i int, name []byte) error {
	if len(name) > maxTitle || !utf8.Valid(name) {
		return &FileError{Path: path, Reason: fmt.Sprintf(
			"column %d is named %q; a column's name is UTF-8 of at most 4,096 bytes: rename it", i+1, shorten(name))}
	}
	return nil
}

// recboleType matches the type behind a column's name in RecBole's files.
var recboleType = regexp.MustCompile(`:(token|float)(_seq)?$`)

// table reads a delimited catalogue with a header. Columns with the usual names are id, title, year and genres; all
// others are kept as text, with leading zeros. movies says that titles are MovieLens', with articles after a comma. A
// file without a title column, such as links.csv, only adds its further columns to known items. If an item has several
// lines, its title comes from the first line with one, and so does each further column.
func (d *describer) table(s *source, delimiter string, movies bool) error {
	cut := newCutter(s, delimiter)
	rows, _ := sampleOf(s, cut) // an error in the first line is returned when it is read
	first, err := cut.next()
	if err == io.EOF {
		return &FileError{Path: s.path, Reason: "is empty; a catalogue has a header line and a line for each item"}
	}
	if err != nil {
		return err
	}
	have := make([]string, len(first))
	blanks := false // genres are cut by blanks, as RecBole does
	for i, f := range first {
		have[i] = cleanText(string(trim(f)))
		if recbole := recboleType.FindStringIndex(have[i]); recbole != nil {
			blanks = blanks || strings.HasSuffix(have[i], "_seq")
			have[i] = have[i][:recbole[0]]
		}
		if err := columnName(s.path, i, f); err != nil {
			return err
		}
	}
	return d.columns(cut, &sample{names: have, rows: rows[min(1, len(rows)):]}, movies, blanks)
}

// parquet reads the flat columns of a catalogue in Parquet format, as table does. Dates become text.
func (d *describer) parquet(path string, r io.ReaderAt, size int64) error {
	return undamaged(path, func() error {
		p, body, err := openParquet(path, r, size, true)
		if err != nil {
			return err
		}
		if p.left > 0 {
			return manyColumns(path, parquetColumns)
		}
		for i, column := range p.columns {
			name := []byte(column.Name())
			if err := columnName(path, i, name); err != nil {
				return err
			}
			body.names[i] = cleanText(string(trim(name)))
		}
		return d.columns(p, body, false, false)
	})
}

// columns reads the rows of a catalogue's table below its header, as described at table. body holds the header and the
// first rows; blanks says that genres are cut by blanks.
func (d *describer) columns(t table, body *sample, movies, blanks bool) error {
	if d.scans {
		return d.scan(t, body)
	}
	s, have := t.at(), body.names
	id := d.idColumn(body)
	if id >= 0 {
		d.idName = have[id]
	}
	if id < 0 {
		return &ColumnError{File: s.path, Role: "id", Have: (&layout{header: true, have: have}).numbered(body)}
	}
	title, err := d.titleColumn(s.path, body, id, movies)
	if err != nil {
		return err
	}
	if title < 0 && d.asked {
		d.report.Untitled = s.path
	}
	year, date := yearColumn(body, func(i int) bool { return i == id || i == title })
	genres, also := genreColumn(body, func(i int) bool { return i == id || i == title || i == year })
	if year >= 0 {
		d.report.YearColumn = have[year]
	}
	if genres >= 0 {
		d.report.GenreColumn = have[genres]
	}
	further := make([]int, len(have)) // file column → catalogue column, −1: none
	for i := range have {
		further[i] = -1
		used := ColumnUse{Name: have[i]}
		switch {
		case i == id:
			used.Use = "id"
		case i == title:
			used.Use = "title"
		case i == year && !date:
			used.Use = "year"
		case i == genres && !also:
			used.Use = "genres"
		case have[i] == "":
			continue
		default:
			used.Why = PrivateColumn(have[i])
			if used.Use, further[i], err = d.further(s.path, have[i]); err != nil {
				return err
			}
		}
		d.report.Columns = append(d.report.Columns, used)
	}
	c := carryOf(have)
	for {
		f, err := t.next()
		if err == io.EOF {
			return nil
		}
		if err == nil && isAgain(f, have) {
			d.report.NotRows++
			continue
		}
		if err == nil && len(f) != len(have) {
			err = s.bad(-1, "", joined(f, t.cutBy()), fmt.Sprintf("the line has %d fields where the header has %d",
				len(f), len(have)))
		}
		if err == nil && c.fill(f) && isNull(trim(f[id])) {
			d.report.NotRows++ // a further picture
			continue
		}
		if err == nil {
			err = d.row(s, f, have, id, title, year, genres, further, movies, blanks)
		}
		if err := d.report.skip(err, d.skip); err != nil {
			return err
		}
	}
}

// further returns the use of a column other than id, title, year and genres, and its number in the catalogue, −1 if it
// is not kept.
func (d *describer) further(path, name string) (use string, at int, err error) {
	use, keep := d.publish.use(name)
	if !keep {
		return use, -1, nil
	}
	c := d.catalogue
	if at := c.Column(name); at >= 0 {
		return use, at, nil
	}
	if len(c.Columns) == maxColumns {
		return use, -1, manyColumns(path, maxColumns)
	}
	c.Columns, d.uses, d.texts = append(c.Columns, name), append(d.uses, use), append(d.texts, nil)
	return use, len(c.Columns) - 1, nil
}

// manyColumns is the error of a catalogue with more columns than limit.
func manyColumns(path string, limit int64) error {
	return &LimitError{File: path, What: "too many columns in the catalogue; leave out what visitors need not see",
		Limit: limit}
}
