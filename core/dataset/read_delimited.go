package dataset

import (
	"bytes"
	"fmt"
	"io"
	"strings"
)

// cutter cuts the records of a delimited file into fields, in place. A record is a line, or more than one where a
// quoted field holds line ends.
type cutter struct {
	s         *source
	delimiter string
	quotes    bool // a field may be wrapped in double quotes
	lenient   bool // a quote that does not close on its line is text
	limit     int  // most fields; 0: maxFields
	fields    [][]byte
	scratch   []byte // unescaped quoted fields of the current record
}

// next returns the fields of the next record that is not blank, valid until the next call. It returns io.EOF at the
// end, a *ParseError for a bad record (after which it goes on with the next line), or an error that ends the reading.
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
		c.fields = c.fields[:0]
		switch {
		case c.delimiter == " ":
			err = c.words(line)
		case c.quotes && bytes.IndexByte(line, '"') >= 0:
			err = c.quoted(line)
		default:
			err = c.plain(line)
		}
		return c.fields, err
	}
}

// most is how many fields a line may have.
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

// quoted cuts a record in which some field may be quoted: RFC 4180, and blanks around the quotes. A field that is open
// at the end of the line draws further lines in until the quotes are even again.
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

// again cuts a record anew, taking its quotes for text.
func (c *cutter) again(line []byte) error {
	c.fields = c.fields[:0]
	return c.plain(line)
}

// maxQuotedLines bounds how far an unclosed quote is followed, and with it the work that a bad line can cause.
const maxQuotedLines = 200

// readDelimited reads interactions from a delimited file by the layout that its first lines and the options give.
func readDelimited(s *source, c *collector, delimiter string, o Options) error {
	rows, err := sampleOf(s, newCutter(s, delimiter))
	if err != nil || len(rows) == 0 {
		return err
	}
	var l layout
	sample := &sample{rows: rows}
	if err := l.resolve(s.path, sample, o); err != nil {
		return err
	}
	cut := newCutter(s, delimiter)
	if l.header {
		if _, err := cut.next(); err != nil {
			return err
		}
	}
	return readColumns(cut, c, &l, sample.rows)
}

// sampleOf cuts the first rows of what comes next in s as cut would, and leaves them there. Rows that are bad or of
// another length than the first are left out; that the first is bad is an error.
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
		rows = append(rows, row)
	}
	return rows, nil
}

// newCutter quotes where the delimiter is one that spreadsheets write.
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

// readColumns reads the rows behind the header; rows are the first of them, to be shown.
func readColumns(t table, c *collector, l *layout, rows [][]string) error {
	e := l.entryOf()
	s := t.at()
	c.reading(s, t.cutBy(), l, rows)
	c.report.Counts = c.report.Counts || l.counts
	for {
		f, err := t.next()
		if err == io.EOF {
			return nil
		}
		c.report.Lines++
		if err == nil {
			if len(f) != l.fields {
				err = s.bad(-1, "", joined(f, t.cutBy()),
					fmt.Sprintf("the line has %d fields where the first line has %d", len(f), l.fields))
			} else {
				for r, at := range l.columns {
					if at >= 0 {
						e.values[r] = f[at]
					}
				}
				err = c.add(s, &e)
			}
		}
		if err != nil {
			if err := c.bad(err); err != nil {
				return err
			}
		}
	}
}

// joined puts a line together again for an error, as far as it is shown.
func joined(f [][]byte, delimiter string) []byte {
	return bytes.Join(f[:min(len(f), 16)], []byte(delimiter))
}
