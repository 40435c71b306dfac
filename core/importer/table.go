package importer

import (
	"bytes"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pmlam/pmlam/core/catalogue"
)

// table gives the rows of a file below its header.
type table interface {
	// next returns the fields of the next row with any text. The slice is valid until the next call. The error is
	// io.EOF at the end. Any other error is a Reason, and ends the reading unless skip continues it.
	next() ([]string, error)
	line() int  // first line of the latest row, or of the wrong one, from 1; 0: the file has no lines
	done() int  // bytes read so far, possibly ahead of the latest row
	skip() bool // moves past the row that next could not read; false if it cannot
}

// start is a table with its header and some of the rows below it.
type start struct {
	table
	head   []string
	below  [][]string
	nested bool // from nested objects: the header has paths
}

// sample is the number of rows examined before a table is read, and headers the number of rows in which a header is
// sought.
const (
	sample  = 200
	headers = 12
)

// kinds are known kinds of files that are not tables, by their first bytes.
var kinds = [...]struct{ magic, name string }{
	{"%PDF", "PDF"}, {"\xD0\xCF\x11\xE0", "Excel 97"}, {"SQLite format 3", "SQLite"}, {"\x89PNG", "PNG"},
	{"\xFF\xD8\xFF", "JPEG"}, {"7z\xBC\xAF", "7z"}, {"Rar!", "RAR"}, {"\xFD7zXZ", "xz"}, {"BZh", "bzip2"},
	{"\x28\xB5\x2F\xFD", "Zstandard"}, {"PAR1", "Parquet"},
}

// open detects the kind of a part. The error is an *Error without a place, a Reason, or the error of step.
func open(p part, step func() error) (start, error) {
	data := p.data
	for _, k := range kinds {
		if bytes.HasPrefix(data, []byte(k.magic)) {
			return start{}, &Error{Reason: NotText, Value: k.name}
		}
	}
	g := p.grid
	data = utf8Of(data)
	switch trimmed := bytes.TrimLeft(data[:min(len(data), maxField)], " \t\r\n"); {
	case g != nil:
	case bytes.IndexByte(data[:min(len(data), 4096)], 0) >= 0:
		return start{}, NotText
	case len(trimmed) > 0 && (trimmed[0] == '{' || trimmed[0] == '['):
		g = &grid{nested: true}
		if err := g.readJSON(data, step); err != nil {
			return start{}, err
		}
	case len(trimmed) > 0 && trimmed[0] == '<':
		g = &grid{}
		if err := g.readMarkup(data, step); err != nil {
			return start{}, err
		}
	default:
		return openDelimited(data)
	}
	s := start{table: g, nested: g.nested}
	if g.nested {
		s.head, s.below = g.head, g.rows[:min(len(g.rows), sample)]
		return s, g.empty()
	}
	at, head := headerOf(g.rows[:min(len(g.rows), sample)])
	s.head, g.at = head, at+1
	s.below = g.rows[g.at:min(len(g.rows), sample)]
	return s, g.empty()
}

func openDelimited(data []byte) (start, error) {
	t := newDelimited(data)
	var rows [][]string
	for len(rows) < sample {
		row, err := t.next()
		if err == nil {
			rows = append(rows, append([]string(nil), row...))
		} else if len(rows) == 0 {
			return start{table: t}, err
		} else {
			break
		}
	}
	at, head := headerOf(rows)
	t = newDelimited(data)
	for range at + 1 {
		t.next()
	}
	t.width = len(head)
	return start{table: t, head: head, below: rows[at+1:]}, nil
}

// headerOf finds the header among a table's first rows. at is −1 for a table without one: a list of IMDb numbers, or of
// titles with years. Letterboxd's lists begin with a table about the list.
func headerOf(rows [][]string) (at int, head []string) {
	for i, row := range rows[:min(len(rows), headers)] {
		if len(row) > 3 && catalogue.Fold(row[0]) == "position" && catalogue.Fold(row[1]) == "name" {
			return i, row
		}
	}
	for i, row := range rows[:min(len(rows), headers)] {
		h, ok := newHeader(row, rows[i+1:], false, nil)
		known := 0
		for _, at := range h.at {
			if at >= 0 {
				known++
			}
		}
		if ok && (i == 0 || known > 1) && !slices.ContainsFunc(row, isIMDb) {
			return i, row
		}
	}
	if len(rows) == 0 {
		return -1, nil
	}
	head = make([]string, len(rows[0]))
	titles := 0
	for _, row := range rows {
		if len(row) == 1 && yearIn(text(row[0])) != 0 {
			titles++
		}
	}
	switch i := slices.IndexFunc(rows[0], isIMDb); {
	case i >= 0:
		head[i] = "IMDb ID"
		return -1, head
	case 2*titles > len(rows):
		return -1, []string{"Title"}
	}
	return 0, rows[0]
}

func isIMDb(s string) bool { return ttNumber(text(s)) != 0 }

// delimited splits a delimited file into rows according to RFC 4180 and to common practice. Lines end with LF, CR LF or
// CR; blanks around quotes are dropped; a single quote within a quoted field is kept, and ends the field only before a
// separator or a line's end. encoding/csv, with which the tests compare, would add 27 KB to the program.
type delimited struct {
	data   []byte
	comma  byte
	at     int  // position in data
	row    int  // the line of at, from 1
	begin  int  // first line of the latest row; after an error, the line at fault
	opened int  // where the latest quoted field begins
	open   bool // it does not end
	width  int  // fields of the header, once known
	again  int  // number of restarts after a wrong line
	bytes  []byte
	ends   []int // ends of the fields in bytes
	fields []string
}

var byteOrderMark = []byte("\xEF\xBB\xBF")

// newDelimited chooses the separator from the first line: a comma, a semicolon, a tab or a bar, whichever is the most
// frequent outside quotes. Excel's line "sep=;" sets it too, and is not a row.
func newDelimited(data []byte) *delimited {
	if len(data) > 5 && string(data[:4]) == "sep=" && canSeparate(data[4]) && isLineEnd(data[5]) {
		return &delimited{data: data, comma: data[4], at: 5, row: 1}
	}
	return &delimited{data: data, comma: separator(data[:min(len(data), maxField)]), row: 1}
}

// canSeparate reports whether c may be a separator.
func canSeparate(c byte) bool { return c != '"' && !isLineEnd(c) && c < utf8.RuneSelf }

// separator returns the separator of the first line that has one.
func separator(data []byte) byte {
	var seen [256]int
	quoted, blank := false, true
	for _, c := range data {
		if isLineEnd(c) && !quoted && !blank && seen[',']+seen[';']+seen['\t']+seen['|'] > 0 {
			break
		}
		if c == '"' {
			quoted = !quoted
		} else if !quoted {
			seen[c]++
			blank = blank && c <= ' '
		}
	}
	comma := byte(',')
	for _, c := range []byte(";\t|") {
		if seen[c] > seen[comma] {
			comma = c
		}
	}
	return comma
}

func (t *delimited) done() int { return t.at }
func (t *delimited) line() int { return t.begin }

func (t *delimited) next() ([]string, error) {
	for t.at < len(t.data) {
		t.begin, t.bytes, t.ends = t.row, t.bytes[:0], t.ends[:0]
		from, longest := 0, 0
		for more := true; more; {
			if err := t.field(); err != nil {
				return nil, err
			}
			longest, from = max(longest, len(t.bytes)-from), len(t.bytes)
			if len(t.ends) <= maxFields {
				t.ends = append(t.ends, from)
			}
			more = t.at < len(t.data) && t.data[t.at] == t.comma
			if more {
				t.at++
			}
		}
		t.lineEnd()
		switch {
		case len(t.ends) > maxFields:
			return nil, TooManyParts
		case longest > maxField:
			return nil, FieldTooLong
		case longest == 0:
			continue
		}
		s := string(t.bytes)
		t.fields, from = t.fields[:0], 0
		for _, end := range t.ends {
			t.fields = append(t.fields, s[from:end])
			from = end
		}
		if len(t.fields) == 1 && t.width != 1 && strings.IndexByte(s, t.comma) >= 0 {
			// A line that is quoted as a whole: Excel does so after reading it as one column.
			inner := delimited{data: []byte(s), comma: t.comma, width: 1}
			if row, err := inner.next(); err == nil && len(row) > 2 {
				return row, nil
			}
		}
		return t.fields, nil
	}
	return nil, io.EOF
}

// field appends the next field to bytes, and stops before its end mark.
func (t *delimited) field() error {
	rest := t.data[t.at:]
	if n := blanks(rest); n == len(rest) || rest[n] != '"' {
		for n = 0; n < len(rest) && rest[n] != t.comma && !isLineEnd(rest[n]); n++ {
		}
		t.bytes = append(t.bytes, rest[:min(n, maxField+1)]...)
		t.at += n
		return nil
	} else {
		t.at += n + 1
	}
	t.opened = t.at
	line, from := t.row, len(t.bytes)
	for t.at < len(t.data) && len(t.bytes)-from <= maxField {
		c := t.data[t.at]
		t.at++
		rest := t.data[t.at:]
		switch {
		case c == '"' && len(rest) > 0 && rest[0] == '"':
			t.at++
		case c == '"' && t.fieldEnds(rest[blanks(rest):]):
			t.at += blanks(rest)
			return nil
		case isLineEnd(c):
			t.at--
			t.lineEnd()
			c = '\n'
		}
		t.bytes = append(t.bytes, c)
	}
	t.begin, t.open = line, true
	if t.at < len(t.data) {
		return FieldTooLong
	}
	return OpenQuote
}

// lineEnd moves past the end of a line.
func (t *delimited) lineEnd() {
	if t.at < len(t.data) {
		if t.data[t.at] == '\r' && t.at+1 < len(t.data) && t.data[t.at+1] == '\n' {
			t.at++
		}
		t.at++
		t.row++
	}
}

// maxAgain is the greatest number of restarts of a file after an unclosed quote.
const maxAgain = 20

func (t *delimited) skip() bool {
	if !t.open {
		return true // the row has been read
	}
	if t.again++; t.again > maxAgain {
		return false
	}
	t.at, t.row, t.open = t.opened, t.begin, false
	for t.at < len(t.data) && !isLineEnd(t.data[t.at]) {
		t.at++
	}
	t.lineEnd()
	return true
}

// fieldEnds reports whether rest is empty, or begins with a separator or a line's end.
func (t *delimited) fieldEnds(rest []byte) bool {
	return len(rest) == 0 || rest[0] == t.comma || isLineEnd(rest[0])
}

// blanks returns the number of blanks at the start of b.
func blanks(b []byte) (n int) {
	for n < len(b) && b[n] == ' ' {
		n++
	}
	return n
}

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' }
