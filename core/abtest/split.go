package abtest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// splitter splits a stream into consecutive JSON values: one a line, several on a line, over several lines, or in an
// array. It only tracks brackets and strings, so a returned value may be invalid JSON. A truncated value ends where a
// line begins with "{", because there the next export begins.
type splitter struct {
	r     *bufio.Reader
	value []byte // bytes of the value so far
	depth int    // open brackets; 0: between two values
	text  bool   // within a string
	next  bool   // after a backslash in it
	began int    // first line of the value
	line  int    // from 1
	start bool   // at the start of a line
	wrong int    // last line with invalid text between values, which is reported once
}

func newSplitter(r io.Reader) *splitter {
	s := &splitter{r: bufio.NewReaderSize(r, 64<<10), line: 1, start: true}
	if mark, _ := s.r.Peek(3); string(mark) == "\ufeff" {
		s.r.Discard(3)
	}
	return s
}

// read returns the next value and its first line. A *ReadError, without a path, describes invalid text instead of a
// value, and the caller can go on. Any other error ends the stream, io.EOF at its end. The value is valid until the
// next call, and has at most MaxExport bytes.
func (s *splitter) read() (value []byte, line int, err error) {
	for {
		c, err := s.r.ReadByte()
		if errors.Is(err, io.EOF) && s.depth > 0 {
			return nil, 0, s.broken(errors.New("the file ends within an export"))
		} else if err != nil {
			return nil, 0, err
		}
		if s.start && c == '{' && s.depth > 0 {
			s.r.UnreadByte()
			return nil, 0, s.broken(fmt.Errorf("the export is cut off: another begins on line %d", s.line))
		}
		if s.start = c == '\n'; s.start {
			s.line++
		}
		if s.depth == 0 {
			if err := s.between(c); err != nil {
				return nil, 0, err
			}
		} else if done, err := s.within(c); done || err != nil {
			return s.value, s.began, err
		}
	}
}

// between handles a byte outside of all values.
func (s *splitter) between(c byte) error {
	switch c {
	case ' ', '\t', '\r', '\n', ',', '[', ']':
		return nil
	case '{':
		s.value, s.depth, s.text, s.next, s.began = append(s.value[:0], c), 1, false, false, s.line
		return nil
	}
	if s.wrong == s.line {
		return nil
	}
	s.wrong = s.line
	rest, _ := s.r.Peek(20)
	rest, _, _ = bytes.Cut(rest, []byte("\n"))
	return &ReadError{Line: s.line, Err: fmt.Errorf("an export begins with {, not %q",
		string(c)+string(bytes.TrimSpace(rest)))}
}

// within handles a byte of a value, and reports whether it is the last.
func (s *splitter) within(c byte) (done bool, err error) {
	if len(s.value) == MaxExport {
		return false, s.broken(fmt.Errorf("an export has at most %d bytes; this one is longer", MaxExport))
	}
	s.value = append(s.value, c)
	switch {
	case s.next:
		s.next = false
	case s.text && c == '\n':
		return false, s.broken(errors.New("the export is cut off: a string does not end on its line"))
	case s.text:
		s.next, s.text = c == '\\', c != '"'
	case c == '"':
		s.text = true
	case c == '{' || c == '[':
		s.depth++
	case c == '}' || c == ']':
		s.depth--
		return s.depth == 0, nil
	}
	return false, nil
}

// broken drops the value.
func (s *splitter) broken(err error) error {
	s.depth, s.wrong = 0, s.line
	return &ReadError{Line: s.began, Err: err}
}
