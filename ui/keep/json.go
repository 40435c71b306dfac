package keep

import (
	"fmt"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// reader reads JSON (RFC 8259) from front to back, as far as a backup needs it: the caller says what comes next, and
// what it does not know it skips. It takes no more memory than the texts that are asked for. After the first error
// everything reads as nothing. encoding/json would be a third of the browser's program.
type reader struct {
	b     []byte
	at    int
	depth int
	err   error
}

// maxDepth bounds how deep objects and arrays may lie in one another.
const maxDepth = 16

func (r *reader) fail(what string) {
	if r.err == nil {
		line := 1
		for _, c := range r.b[:min(r.at, len(r.b))] {
			if c == '\n' {
				line++
			}
		}
		r.err = &BackupError{Line: line, What: what}
	}
}

// next returns the next byte that is not white space, without passing it; 0 at the end.
func (r *reader) next() byte {
	for r.err == nil && r.at < len(r.b) {
		switch c := r.b[r.at]; c {
		case ' ', '\t', '\n', '\r':
			r.at++
		default:
			return c
		}
	}
	return 0
}

// passes tells whether c comes next, and passes it then.
func (r *reader) passes(c byte) bool {
	if r.next() != c {
		return false
	}
	r.at++
	return true
}

func (r *reader) want(c byte) {
	if !r.passes(c) {
		r.fail("a " + string(rune(c)) + " is missing")
	}
}

// object calls member with the name of each, which has to read the value.
func (r *reader) object(member func(name string)) {
	r.each('{', '}', func() {
		name := r.text()
		r.want(':')
		if r.err == nil {
			member(name)
		}
	})
}

// array calls element for each, which has to read it.
func (r *reader) array(element func()) { r.each('[', ']', element) }

func (r *reader) each(open, end byte, one func()) {
	r.want(open)
	if r.depth++; r.depth > maxDepth {
		r.fail("it is nested too deeply")
	}
	if !r.passes(end) {
		for r.err == nil {
			one()
			if r.passes(end) {
				break
			}
			r.want(',')
		}
	}
	r.depth--
}

// text reads a string of at most maxText bytes.
func (r *reader) text() string {
	r.want('"')
	start := r.at
	var out []byte
	for r.err == nil {
		switch {
		case r.at >= len(r.b):
			r.fail("a text has no end")
		case len(out) > maxText:
			r.fail("a text is longer than it may be")
		case r.b[r.at] == '"':
			r.at++
			if !utf8.Valid(out) {
				r.at = start
				r.fail("a text is not UTF-8")
				return ""
			}
			return string(out)
		case r.b[r.at] < ' ':
			r.fail("a text holds a control character")
		case r.b[r.at] == '\\':
			out = r.escape(out)
		default:
			out = append(out, r.b[r.at])
			r.at++
		}
	}
	return ""
}

// escape reads what follows a backslash. Half a surrogate pair becomes U+FFFD.
func (r *reader) escape(out []byte) []byte {
	const names, values = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if r.at+1 >= len(r.b) {
		r.fail("a text has no end")
		return out
	}
	c := r.b[r.at+1]
	for i := range len(names) {
		if names[i] == c {
			r.at += 2
			return append(out, values[i])
		}
	}
	first, ok := r.unit()
	if !ok {
		r.fail("a text holds an unknown escape")
		return out
	}
	r.at += 6
	if utf16.IsSurrogate(first) {
		second, ok := r.unit()
		if first = utf16.DecodeRune(first, second); ok && first != utf8.RuneError {
			r.at += 6
		} else {
			first = utf8.RuneError
		}
	}
	return utf8.AppendRune(out, first)
}

// unit reads \uXXXX without passing it.
func (r *reader) unit() (rune, bool) {
	if r.at+6 > len(r.b) || r.b[r.at] != '\\' || r.b[r.at+1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(r.b[r.at+2:r.at+6]), 16, 32)
	return rune(v), err == nil
}

// number reads a number.
func (r *reader) number() float64 {
	r.next()
	start := r.at
	for r.at < len(r.b) && (r.b[r.at] >= '0' && r.b[r.at] <= '9' || r.b[r.at] == '-' || r.b[r.at] == '+' || r.b[r.at] == '.' || r.b[r.at]|0x20 == 'e') {
		r.at++
	}
	if r.at-start > 40 {
		r.fail("a number is longer than it may be")
		return 0
	}
	v, err := strconv.ParseFloat(string(r.b[start:r.at]), 64)
	if err != nil {
		r.fail("a number is missing")
		return 0
	}
	return v
}

// truth reads true or false.
func (r *reader) truth() bool {
	t := r.next() == 't'
	if t {
		r.word("true")
	} else {
		r.word("false")
	}
	return t
}

func (r *reader) word(w string) {
	r.next()
	if r.at+len(w) > len(r.b) || string(r.b[r.at:r.at+len(w)]) != w {
		r.fail("a value is missing")
		return
	}
	r.at += len(w)
}

// skip reads any value.
func (r *reader) skip() {
	switch c := r.next(); {
	case c == '{':
		r.object(func(string) { r.skip() })
	case c == '[':
		r.array(r.skip)
	case c == '"':
		r.text()
	case c == 't' || c == 'f':
		r.truth()
	case c == 'n':
		r.word("null")
	default:
		r.number()
	}
}

// BackupError says why a file cannot be read as a backup.
type BackupError struct {
	Line  int    // of the file, from 1; 0: the file as a whole
	What  string //
	Newer bool   // a later version of the program wrote it
}

func (e *BackupError) Error() string {
	if e.Line == 0 {
		return "keep: this file is no backup: " + e.What
	}
	return fmt.Sprintf("keep: this file is no backup: line %d: %s", e.Line, e.What)
}

// quote appends s as a JSON string.
func quote(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	b = append(b, '"')
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c < ' ' || c == 0x7f:
			b = append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		default:
			b = append(b, c)
		}
	}
	return append(b, '"')
}
