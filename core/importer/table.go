package importer

import (
	"bytes"
	"encoding/csv"
	"io"
	"unicode/utf8"
)

// table reads the rows of a delimited file. encoding/csv cuts the fields; table gives it the file as RFC 4180 writes
// one (normalised), finds out what separates the fields, and holds it to the bounds of limits.go.
type table struct {
	normalised
	csv   *csv.Reader
	begin int // line on which the latest row begins, from 1; of an error, the line that it is about
}

var byteOrderMark = []byte("\xEF\xBB\xBF")

// newTable looks at the first line for the separator: a comma, a semicolon, a tab or a bar, whichever there is most of
// outside quotes. Excel's line "sep=;" names it too, and is no row. The error is UTF16 or NotText.
func newTable(data []byte) (*table, error) {
	data = bytes.TrimPrefix(data, byteOrderMark)
	if bytes.HasPrefix(data, []byte("\xFF\xFE")) || bytes.HasPrefix(data, []byte("\xFE\xFF")) {
		return nil, UTF16
	}
	if bytes.IndexByte(data[:min(len(data), 4096)], 0) >= 0 {
		return nil, NotText
	}
	t := &table{normalised: normalised{data: data, line: 1, start: true}}
	if len(data) > 5 && string(data[:4]) == "sep=" && canSeparate(data[4]) && isLineEnd(data[5]) {
		t.comma = data[4]
		t.at = 5
	} else {
		t.comma = separator(data[:min(len(data), maxField)])
	}
	t.csv = csv.NewReader(&t.normalised)
	t.csv.FieldsPerRecord = -1
	t.csv.LazyQuotes = true
	t.csv.ReuseRecord = true
	return t, nil
}

// canSeparate reports whether encoding/csv takes c between fields. A file has no zero byte: newTable refuses it.
func canSeparate(c byte) bool { return c != '"' && !isLineEnd(c) && c < utf8.RuneSelf }

// separator returns what separates the fields of the first line that is not blank.
func separator(data []byte) byte {
	var seen [256]int
	quoted, blank := false, true
	for _, c := range data {
		if isLineEnd(c) && !quoted && !blank {
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

// done returns how many bytes have been read, some of them ahead of the latest row.
func (t *table) done() int { return t.at }

// next returns the fields of the next row that has any text; the slice is valid until the next call. The error is
// io.EOF at the end. Any other is a Reason and ends the reading.
func (t *table) next() ([]string, error) {
	for {
		t.csv.Comma = rune(t.comma)
		row, err := t.csv.Read()
		if err != nil {
			t.begin = t.opened
			return nil, err
		}
		t.begin, _ = t.csv.FieldPos(0)
		if len(row) > maxFields {
			return nil, TooManyParts
		}
		longest := 0
		for _, f := range row {
			longest = max(longest, len(f))
		}
		if longest > maxField {
			return nil, FieldTooLong
		}
		if longest > 0 {
			return row, nil
		}
	}
}

// normalised is a delimited file as encoding/csv with LazyQuotes takes it. Every line ends with LF, where the file may
// have CR LF or CR; blanks around a field's quotes are left out; a quoted field that does not end is the error
// OpenQuote, and FieldTooLong behind maxField bytes. A quote within a quoted field that is not doubled stays: it ends
// the field only before a separator or a line's end. O(1) memory beside the data.
type normalised struct {
	data   []byte
	at     int // how far data was read
	comma  byte
	line   int  // on which at lies, from 1
	start  bool // a field begins at
	quoted bool // at lies in a quoted field
	opened int  // the line on which the latest quoted field begins
	length int  // of it, in bytes
	pair   bool // at is the second of two quotes that stand for one
}

// Read is an io.Reader's.
func (n *normalised) Read(p []byte) (wrote int, err error) {
	for wrote < len(p) && n.at < len(n.data) && n.length <= maxField {
		c, rest := n.data[n.at], n.data[n.at+1:]
		n.at++
		switch {
		case n.pair:
			n.pair = false
		case n.start && c == ' ' && bytes.HasPrefix(rest[blanks(rest):], []byte{'"'}):
			n.at += blanks(rest)
			continue
		case n.start && c == '"':
			n.quoted, n.opened, n.length = true, n.line, 0
		case n.quoted && c == '"' && len(rest) > 0 && rest[0] == '"':
			n.pair = true
		case n.quoted && c == '"' && n.fieldEnds(rest[blanks(rest):]):
			n.quoted, n.length = false, 0
			n.at += blanks(rest)
		case c == '\r':
			c = '\n'
			if len(rest) > 0 && rest[0] == '\n' {
				n.at++
			}
		}
		if n.quoted && !n.pair {
			n.length++
		}
		if c == '\n' {
			n.line++
		}
		n.start = !n.quoted && (c == n.comma || c == '\n')
		p[wrote] = c
		wrote++
	}
	switch {
	case wrote > 0:
		return wrote, nil
	case n.length > maxField:
		return 0, FieldTooLong
	case n.quoted:
		return 0, OpenQuote
	}
	return 0, io.EOF
}

// fieldEnds reports whether rest begins with a separator or a line's end, or is empty.
func (n *normalised) fieldEnds(rest []byte) bool {
	return len(rest) == 0 || rest[0] == n.comma || isLineEnd(rest[0])
}

// blanks returns how many blanks b begins with.
func blanks(b []byte) (n int) {
	for n < len(b) && b[n] == ' ' {
		n++
	}
	return n
}

func isLineEnd(c byte) bool { return c == '\n' || c == '\r' }
