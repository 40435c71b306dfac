package dataset

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
)

// cutter cuts the records of a delimited file into fields, in place. A record is a line, or several lines if a quoted
// field holds line ends.
type cutter struct {
	s         *source
	delimiter string
	quotes    bool // a field may be wrapped in double quotes
	lenient   bool // a quote that does not close on its line is text
	limit     int  // most fields; 0: maxFields
	width     int  // fields of the first record; 0: there was none
	unnamed   int  // of them, empty ones at the end
	fields    [][]byte
	scratch   []byte // unescaped quoted fields of the current record
}

// next returns the fields of the next record that is not blank, valid until the next call. It returns io.EOF at the
// end, a *ParseError for a bad record (the next call continues with the next line), or an error that ends the reading.
func (c *cutter) next() ([][]byte, error) {
	for {
		line, err := c.s.next()
		if err == io.EOF {
			return nil, err
		}
		if err != nil {
			return nil, c.s.fail(err)
		}
		if len(trim(line)) == 0 {
			continue
		}
	cut:
		c.fields = c.fields[:0]
		switch {
		case c.delimiter == " ":
			err = c.words(line)
		case c.quotes && bytes.IndexByte(line, '"') >= 0:
			err = c.quoted(line)
		default:
			err = c.plain(line)
		}
		if err != nil || len(c.fields) != c.width {
			if i := loneCR(c.s.current()); i >= 0 { // rows that end by a carriage return, among others
				c.s.endByCR()
				c.s.pos = c.s.start + i + 1
				if line = c.s.current(); len(trim(line)) == 0 {
					continue
				}
				goto cut
			}
			if err == nil {
				c.fit()
			}
		}
		return c.fields, err
	}
}

// fit makes a record as wide as the first one if only empty fields at its end must be added or removed: some programs
// end rows, or the header, with a delimiter.
func (c *cutter) fit() {
	n := len(c.fields)
	if c.width == 0 {
		c.width = n
		for c.unnamed < n && len(trim(c.fields[n-1-c.unnamed])) == 0 {
			c.unnamed++
		}
		return
	}
	for n > c.width && len(trim(c.fields[n-1])) == 0 {
		n--
	}
	if n == c.width {
		c.fields = c.fields[:n]
	}
	for n < c.width && n >= c.width-c.unnamed {
		c.fields = append(c.fields, nil)
		n++
	}
}

// most is the largest number of fields in a line.
func (c *cutter) most() int {
	if c.limit == 0 {
		return maxFields
	}
	return c.limit
}

func (c *cutter) tooMany() error {
	return &LimitError{File: c.s.path, Line: c.s.line, What: "too many fields in one line; is the delimiter right?",
		Limit: int64(c.most())}
}

func (c *cutter) words(line []byte) error {
	for {
		var w []byte
		if w, line = word(line); len(w) == 0 {
			return nil
		}
		if c.fields = append(c.fields, w); len(c.fields) > c.most() {
			return c.tooMany()
		}
	}
}

func (c *cutter) plain(line []byte) error {
	d := len(c.delimiter)
	for most := c.most(); len(c.fields) < most; {
		i := -1
		if d == 1 {
			i = bytes.IndexByte(line, c.delimiter[0])
		} else {
			i = bytes.Index(line, []byte(c.delimiter))
		}
		if i < 0 {
			c.fields = append(c.fields, line)
			return nil
		}
		c.fields = append(c.fields, line[:i])
		line = line[i+d:]
	}
	return c.tooMany()
}

// quoted cuts a record with quoted fields: RFC 4180, and blanks around the quotes. A field that is open at the end of
// the line continues on the following lines until the quotes are balanced.
func (c *cutter) quoted(line []byte) error {
	open, err := c.cutQuoted(line)
	if !open {
		return err
	}
	for {
		known := len(line)
		line, err = c.s.extend()
		switch {
		case err == io.EOF, err == errLongLine, err == nil &&
			(c.s.after-c.s.line > maxQuotedLines || len(line) > known+maxLine/16):
			c.s.retract()
			return c.s.bad(-1, "", c.s.current(), "a quote that opens on this line is not closed within 200 lines")
		case err != nil:
			return c.s.fail(err)
		}
		if bytes.Count(line[min(known, len(line)):], []byte{'"'})%2 == 0 {
			continue
		}
		if open, err = c.cutQuoted(line); open {
			c.s.retract()
			return c.s.bad(-1, "", c.s.current(), "the quotes do not pair up; a quote within a quoted field is "+
				"written twice")
		}
		return err
	}
}

// cutQuoted cuts a complete record, or reports that line ends within a quoted field.
func (c *cutter) cutQuoted(line []byte) (open bool, err error) {
	c.fields, c.scratch = c.fields[:0], c.scratch[:0]
	for begin := 0; ; {
		if len(c.fields) == c.most() {
			return false, c.tooMany()
		}
		at := begin
		for at < len(line) && line[at] == ' ' {
			at++
		}
		if at == len(line) || line[at] != '"' {
			i := bytes.Index(line[begin:], []byte(c.delimiter))
			if i < 0 {
				c.fields = append(c.fields, line[begin:])
				return false, nil
			}
			c.fields = append(c.fields, line[begin:begin+i])
			begin += i + len(c.delimiter)
			continue
		}
		from := len(c.scratch)
		at++
		for closed := false; !closed; {
			i := bytes.IndexByte(line[at:], '"')
			switch {
			case i < 0 && c.lenient:
				return false, c.again(line)
			case i < 0:
				return true, nil
			case at+i+1 < len(line) && line[at+i+1] == '"':
				c.scratch = append(c.scratch, line[at:at+i+1]...)
				at += i + 2
			default:
				c.scratch = append(c.scratch, line[at:at+i]...)
				at += i + 1
				closed = true
			}
		}
		for at < len(line) && line[at] == ' ' {
			at++
		}
		// A later append may move scratch; this field then keeps the old memory, which is not written again.
		c.fields = append(c.fields, c.scratch[from:len(c.scratch):len(c.scratch)])
		switch {
		case at == len(line):
			return false, nil
		case bytes.HasPrefix(line[at:], []byte(c.delimiter)):
			begin = at + len(c.delimiter)
		case c.lenient:
			return false, c.again(line)
		default:
			return false, c.s.bad(len(c.fields)-1, "", line[begin:],
				"text follows a closing quote; a quote within a quoted field is written twice")
		}
	}
}

// again cuts a record anew, treating its quotes as text.
func (c *cutter) again(line []byte) error {
	c.fields = c.fields[:0]
	return c.plain(line)
}

// maxQuotedLines bounds how far an unclosed quote is followed, and so the work that a bad line can cause.
const maxQuotedLines = 200

// readDelimited reads interactions from a delimited file, with the layout given by its first lines and the options.
func readDelimited(s *source, c *collector, delimiter string, o Options) error {
	rows, err := sampleOf(s, newCutter(s, delimiter))
	if err != nil || len(rows) == 0 {
		return err
	}
	var l layout
	sample := &sample{rows: rows}
	values := sample.part(s.partitions)
	if err := l.resolve(s.path, sample, o); err != nil {
		return err
	}
	cut := newCutter(s, delimiter)
	if l.header {
		names, err := cut.next()
		if err != nil {
			return err
		}
		for _, name := range names {
			l.first = append(l.first, string(trim(name)))
		}
	}
	return readColumns(withPartitions(cut, values), c, &l, sample.rows)
}

// sampleOf cuts the next rows of s as cut would, without consuming them. It leaves out bad rows, rows whose length
// differs from the first, and copies of the first, which may be headers. A bad first row is an error.
func sampleOf(s *source, cut *cutter) (rows [][]string, err error) {
	again := *cut
	again.s = &source{path: s.path, lines: newLines(bytes.NewReader(s.head()))}
	for len(rows) < sampleRows {
		f, err := again.next()
		if err == io.EOF {
			break
		}
		if err != nil && len(rows) == 0 {
			return nil, err
		}
		if err != nil || len(rows) > 0 && len(f) != len(rows[0]) {
			continue
		}
		row := make([]string, len(f))
		for i, cell := range f {
			row[i] = strings.ToValidUTF8(shorten(trim(cell)), "�")
		}
		if len(rows) == 0 || len(row) == 1 || !slices.Equal(row, rows[0]) {
			rows = append(rows, row)
		}
	}
	return rows, nil
}

// newCutter returns a cutter that reads quotes if spreadsheets write the delimiter.
func newCutter(s *source, delimiter string) *cutter {
	switch delimiter {
	case ",", ";":
		return &cutter{s: s, delimiter: delimiter, quotes: true}
	case "\t":
		return &cutter{s: s, delimiter: delimiter, quotes: true, lenient: true}
	}
	return &cutter{s: s, delimiter: delimiter}
}

// table has rows of fields: a cutter or a Parquet file.
type table interface {
	next() ([][]byte, error) // as cutter.next
	at() *source             // the place of the row
	cutBy() string
}

// withPartitions returns a table with further columns that have one value each.
func withPartitions(t table, values [][]byte) table {
	if len(values) == 0 {
		return t
	}
	return &partitioned{table: t, values: values}
}

type partitioned struct {
	table
	values, fields [][]byte
}

func (p *partitioned) next() ([][]byte, error) {
	f, err := p.table.next()
	if err != nil {
		return f, err
	}
	p.fields = append(append(p.fields[:0], f...), p.values...)
	return p.fields, nil
}

func (c *cutter) at() *source   { return c.s }
func (c *cutter) cutBy() string { return c.delimiter }

// entryOf returns an entry for the columns of a layout.
func (l *layout) entryOf() entry {
	e := entry{columns: l.columns, names: l.names, days: l.days, zeroUnrated: l.zeroUnrated}
	for r := range roles {
		e.has[r] = l.columns[r] >= 0
	}
	return e
}

// titleLayout records how a layout treats the titles' column.
func (c *collector) titleLayout(l *layout) {
	c.titleSure = c.titleSure || l.sureTitle || l.export != nil
	if c.report.DroppedTitle == "" {
		c.report.DroppedTitle = l.noTitle
	}
}

// readColumns reads the rows below the header; rows are the first ones, for the report.
func readColumns(t table, c *collector, l *layout, rows [][]string) error {
	e := l.entryOf()
	c.titleLayout(l)
	s := t.at()
	c.reading(s, t.cutBy(), l, rows)
	c.report.Counts = c.report.Counts || l.counts
	if l.addresses && c.pages == nil {
		c.pages = newPages()
	}
	var row [][]byte
	cell := func(column int) []byte { return row[column] }
	for {
		f, err := t.next()
		if err == io.EOF {
			return nil
		}
		c.report.Lines++
		if err == nil {
			switch {
			case len(f) != l.fields && notRow(joined(f, t.cutBy()), t.cutBy()), c.report.Lines == 1 &&
				notRow(joined(f, t.cutBy()), t.cutBy()), len(f) == len(l.first) && l.again(f):
				c.report.Lines--
				c.report.NotRows++
				continue
			case len(f) != l.fields:
				err = s.bad(-1, "", joined(f, t.cutBy()),
					fmt.Sprintf("the line has %d fields where the first line has %d", len(f), l.fields))
			default:
				for r, at := range l.columns {
					if at >= 0 {
						e.values[r] = f[at]
					}
				}
				if l.otherItem >= 0 && isNull(trim(e.values[roleItem])) {
					e.values[roleItem] = f[l.otherItem]
				}
				out := false
				if len(l.filters) > 0 {
					row = f
					out, err = l.leavesOut(c, cell)
				}
				if !out && err == nil {
					err = c.add(s, &e)
				}
			}
		}
		if err != nil && allEmpty(f) {
			c.report.Lines--
			c.report.NotRows++
			continue
		}
		if err != nil {
			if err := c.bad(err); err != nil {
				return err
			}
		}
	}
}

// again reports whether a row repeats the header.
func (l *layout) again(f [][]byte) bool {
	user, name := f[l.columns[roleUser]], l.first[l.columns[roleUser]]
	return len(user) >= len(name) && string(trim(user)[max(len(trim(user))-len(name), 0):]) == name &&
		isAgain(f, l.first)
}

func allEmpty(f [][]byte) bool {
	for _, cell := range f {
		if len(trim(cell)) > 0 {
			return false
		}
	}
	return len(f) > 1
}

// joined joins the beginning of a line for an error.
func joined(f [][]byte, delimiter string) []byte {
	return bytes.Join(f[:min(len(f), 16)], []byte(delimiter))
}
