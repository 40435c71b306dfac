package importer

import (
	"bytes"
	"io"
)

// table cuts a delimited file into rows, in place: RFC 4180, lines ended by LF, CR LF or CR, and quotes within a field
// that are not doubled taken as text where that has a meaning. A row whose fields are all missing is left out.
type table struct {
	data    []byte // what is left
	size    int    // of all
	line    int    // on which what is left begins, from 1
	begin   int    // line on which the latest row begins
	comma   byte
	fields  [][]byte
	scratch []byte // fields whose doubled quotes were undone
}

var byteOrderMark = []byte("\xEF\xBB\xBF")

// newTable looks at the first line for what separates fields: a comma, a semicolon, a tab or a bar, whichever there
// is most of outside of quotes. Excel's "sep=;" line says it too, and is no row.
func newTable(data []byte) (*table, error) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	if bytes.HasPrefix(data, []byte("\xFF\xFE")) || bytes.HasPrefix(data, []byte("\xFE\xFF")) {
		return nil, UTF16
	}
	if bytes.IndexByte(data[:min(len(data), 4096)], 0) >= 0 {
		return nil, NotText
	}
	t := &table{data: data, size: len(data), line: 1, comma: ','}
	if len(data) > 5 && string(data[:4]) == "sep=" && (data[5] == '\n' || data[5] == '\r') {
		t.comma = data[4]
		t.data = data[5:]
		return t, nil
	}
	var seen [256]int
	quoted := false
scan:
	for _, c := range data[:min(len(data), maxField)] {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case (c == '\n' || c == '\r') && seen[0] > 0:
			break scan
		case c > ' ':
			seen[0]++ // the line is not blank
			fallthrough
		case c == '\t':
			seen[c]++
		}
	}
	for _, c := range []byte(";\t|") {
		if seen[c] > seen[t.comma] {
			t.comma = c
		}
	}
	return t, nil
}

// done is how many bytes have been read.
func (t *table) done() int { return t.size - len(t.data) }

// next returns the fields of the next row, valid until the next call; io.EOF at the end. Any other error ends the
// reading, and begin is the line that it is about.
func (t *table) next() ([][]byte, error) {
	for {
		if len(t.data) == 0 {
			return nil, io.EOF
		}
		if err := t.row(); err != nil {
			return nil, err
		}
		for _, f := range t.fields {
			if len(f) > 0 {
				return t.fields, nil
			}
		}
	}
}

func (t *table) row() error {
	t.fields, t.scratch, t.begin = t.fields[:0], t.scratch[:0], t.line
	for {
		if len(t.fields) == maxFields {
			return TooManyParts
		}
		var f []byte
		if q := blanks(t.data[:min(len(t.data), 16)]); q < min(len(t.data), 16) && t.data[q] == '"' {
			var err error
			if f, err = t.quoted(); err != nil {
				return err
			}
		} else {
			n := 0
			for n < len(t.data) && t.data[n] != t.comma && t.data[n] != '\n' && t.data[n] != '\r' {
				n++
			}
			f = t.data[:n]
			t.data = t.data[n:]
		}
		if len(f) > maxField {
			return FieldTooLong
		}
		t.fields = append(t.fields, f)
		if len(t.data) == 0 {
			return nil
		}
		end := t.data[0]
		t.data = t.data[1:]
		if end == t.comma {
			continue
		}
		if end == '\r' && len(t.data) > 0 && t.data[0] == '\n' {
			t.data = t.data[1:]
		}
		t.line++
		return nil
	}
}

// quoted cuts a field in quotes and leaves what follows it: the separator, a line's end or nothing.
func (t *table) quoted() ([]byte, error) {
	opened := t.line
	b := t.data[blanks(t.data)+1:]
	from := len(t.scratch)
	at := 0 // how far b was looked at
	for {
		i := bytes.IndexByte(b[at:], '"')
		if long := len(t.scratch)-from+at+max(i, 0) > maxField; i < 0 || long {
			t.begin = opened
			if long || len(b) > maxField {
				return nil, FieldTooLong
			}
			return nil, OpenQuote
		}
		at += i
		rest := b[at+1:]
		if len(rest) > 0 && rest[0] == '"' {
			t.scratch = append(t.scratch, b[:at+1]...)
			t.lines(b[:at])
			b, at = rest[1:], 0
			continue
		}
		if end := rest[blanks(rest):]; len(end) == 0 || end[0] == t.comma || end[0] == '\n' || end[0] == '\r' {
			t.lines(b[:at])
			t.data = end
			if from == len(t.scratch) {
				return b[:at], nil
			}
			// Where a later append moves scratch, this field keeps the old memory, which nothing writes to any more.
			t.scratch = append(t.scratch, b[:at]...)
			return t.scratch[from:len(t.scratch):len(t.scratch)], nil
		}
		at++ // a quote in the middle: text
	}
}

// lines counts the line ends within a field.
func (t *table) lines(b []byte) {
	n := bytes.Count(b, []byte("\n"))
	if n == 0 {
		n = bytes.Count(b, []byte("\r"))
	}
	t.line += n
}

// blanks returns how many blanks b begins with.
func blanks(b []byte) (n int) {
	for n < len(b) && b[n] == ' ' {
		n++
	}
	return n
}
