package abtest

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
)

// splitter cuts a stream into values of JSON, one after another: a line each, several on a line, over several lines, or
// in an array. It only follows brackets and texts; what it returns may still be no JSON. A value that is cut off ends
// where a line begins with "{", for there the next export begins.
type splitter struct {
	r     *bufio.Reader
	value []byte // what is read of a value
	depth int    // brackets of it that are open; 0: between two values
	text  bool   // within a text of it
	next  bool   // of that text: the letter after a backslash
	began int    // the line that it begins on
	line  int    // from 1
	start bool   // at the start of a line
	wrong int    // the last line with something else between two values, which is reported once
}

func newSplitter(r io.Reader) *splitter {
	s := &splitter{r: bufio.NewReaderSize(r, 64<<10), line: 1, start: true}
	if mark, _ := s.r.Peek(3); string(mark) == "\ufeff" {
		s.r.Discard(3)
	}
	return s
}

// read returns the next value and the line on which it begins. A *ReadError, without a path, says what stands there
// instead of a value, and the caller goes on; any other error ends the stream, io.EOF where it has been read. The value
// holds until the next call, and has at most MaxExport bytes.
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

// between takes a byte that stands outside of all values.
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
	return &ReadError{Line: s.line, Err: fmt.Errorf("an export begins with {, and here stands %q",
		string(c)+string(bytes.TrimSpace(rest)))}
}

// within takes a byte of a value, and reports whether it is the last.
func (s *splitter) within(c byte) (done bool, err error) {
	if len(s.value) == MaxExport {
		return false, s.broken(fmt.Errorf("an export has at most %d bytes, and this one is longer", MaxExport))
	}
	s.value = append(s.value, c)
	switch {
	case s.next:
		s.next = false
	case s.text && c == '\n':
		return false, s.broken(errors.New("the export is cut off: a text does not end on its line"))
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

// broken gives the value up.
func (s *splitter) broken(err error) error {
	s.depth, s.wrong = 0, s.line
	return &ReadError{Line: s.began, Err: err}
}
