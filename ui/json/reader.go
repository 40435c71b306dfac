package json

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Reader reads JSON from front to back: the caller says what comes next, and skips what it does not know. After the first
// error everything reads as nothing.
type Reader struct {
	b       []byte
	at      int
	depth   int
	maxText int
	err     *Error
}

// maxDepth bounds how deep objects and arrays may lie in one another.
const maxDepth = 16

// NewReader returns a reader of b, in which no text may be longer than maxText bytes.
func NewReader(b []byte, maxText int) *Reader { return &Reader{b: b, maxText: maxText} }

// Error says what is wrong.
type Error struct {
	Line int // from 1
	What string
}

func (e *Error) Error() string { return "json: line " + strconv.Itoa(e.Line) + ": " + e.What }

// Err returns the first error, or nil.
func (r *Reader) Err() *Error { return r.err }

// End fails where anything but white space follows.
func (r *Reader) End() {
	r.Next()
	if r.err == nil && r.at < len(r.b) {
		r.Fail("something follows its end")
	}
}

// Place returns where the reader is, for Back.
func (r *Reader) Place() int { return r.at }

// FailAt is Fail for what began at a place.
func (r *Reader) FailAt(place int, what string) {
	if r.err == nil {
		r.at = place
		r.Fail(what)
	}
}

// Fail has the reader stop with an error.
func (r *Reader) Fail(what string) {
	if r.err == nil {
		line := 1
		for _, c := range r.b[:min(r.at, len(r.b))] {
			if c == '\n' {
				line++
			}
		}
		r.err = &Error{Line: line, What: what}
	}
}

// Next returns the next byte that is not white space, without passing it; 0 at the end: a value that begins with a quote
// is a text, for one.
func (r *Reader) Next() byte {
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
func (r *Reader) passes(c byte) bool {
	if r.Next() != c {
		return false
	}
	r.at++
	return true
}

func (r *Reader) want(c byte) {
	if !r.passes(c) {
		r.Fail("a " + string(rune(c)) + " is missing")
	}
}

// Object calls member with the name of each, which has to read the value.
func (r *Reader) Object(member func(name string)) {
	r.each('{', '}', func() {
		name := r.Text()
		r.want(':')
		if r.err == nil {
			member(name)
		}
	})
}

// Array calls element for each, which has to read it.
func (r *Reader) Array(element func()) { r.each('[', ']', element) }

func (r *Reader) each(open, end byte, one func()) {
	r.want(open)
	if r.depth++; r.depth > maxDepth {
		r.Fail("it is nested too deeply")
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

// Text reads a string of at most the reader's maxText bytes.
func (r *Reader) Text() string {
	r.want('"')
	start := r.at
	var out []byte
	for r.err == nil {
		switch {
		case r.at >= len(r.b):
			r.Fail("a text has no end")
		case len(out) > r.maxText:
			r.Fail("a text is longer than it may be")
		case r.b[r.at] == '"':
			r.at++
			if !utf8.Valid(out) {
				r.at = start
				r.Fail("a text is not UTF-8")
				return ""
			}
			return string(out)
		case r.b[r.at] < ' ':
			r.Fail("a text holds a control character")
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
func (r *Reader) escape(out []byte) []byte {
	const names, values = `"\/bfnrt`, "\"\\/\b\f\n\r\t"
	if r.at+1 >= len(r.b) {
		r.Fail("a text has no end")
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
		r.Fail("a text holds an unknown escape")
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
func (r *Reader) unit() (rune, bool) {
	if r.at+6 > len(r.b) || r.b[r.at] != '\\' || r.b[r.at+1] != 'u' {
		return 0, false
	}
	v, err := strconv.ParseUint(string(r.b[r.at+2:r.at+6]), 16, 32)
	return rune(v), err == nil
}

// Number reads a number.
func (r *Reader) Number() float64 {
	r.Next()
	start := r.at
	for r.at < len(r.b) && (r.b[r.at] >= '0' && r.b[r.at] <= '9' || r.b[r.at] == '-' || r.b[r.at] == '+' || r.b[r.at] == '.' || r.b[r.at]|0x20 == 'e') {
		r.at++
	}
	if r.at-start > 40 {
		r.Fail("a number is longer than it may be")
		return 0
	}
	v, err := strconv.ParseFloat(string(r.b[start:r.at]), 64)
	if err != nil {
		r.Fail("a number is missing")
		return 0
	}
	return v
}

// Truth reads true or false.
func (r *Reader) Truth() bool {
	t := r.Next() == 't'
	if t {
		r.word("true")
	} else {
		r.word("false")
	}
	return t
}

func (r *Reader) word(w string) {
	r.Next()
	if r.at+len(w) > len(r.b) || string(r.b[r.at:r.at+len(w)]) != w {
		r.Fail("a value is missing")
		return
	}
	r.at += len(w)
}

// Value reads any value: nil, bool, float64, string, []any or map[string]any.
func (r *Reader) Value() any {
	switch c := r.Next(); {
	case c == '{':
		m := map[string]any{}
		r.Object(func(name string) { m[name] = r.Value() })
		return m
	case c == '[':
		list := []any{}
		r.Array(func() { list = append(list, r.Value()) })
		return list
	case c == '"':
		return r.Text()
	case c == 't' || c == 'f':
		return r.Truth()
	case c == 'n':
		r.word("null")
		return nil
	}
	return r.Number()
}

// Skip reads any value and forgets it.
func (r *Reader) Skip() {
	switch c := r.Next(); {
	case c == '{':
		r.Object(func(string) { r.Skip() })
	case c == '[':
		r.Array(r.Skip)
	case c == '"':
		r.Text()
	case c == 't' || c == 'f':
		r.Truth()
	case c == 'n':
		r.word("null")
	default:
		r.Number()
	}
}
