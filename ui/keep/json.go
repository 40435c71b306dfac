package keep

import (
	"bytes"
	"errors"
	"io"
	"math"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// maxDepth is the deepest nesting of objects and arrays.
const maxDepth = 16

// reader reads JSON from front to back. Strings are UTF-8 of at most maxText bytes. Names of members are case-sensitive
// and may repeat. null reads as the zero value. The caller says what comes next and skips unknown members. After the
// first error every value reads as the zero value.
type reader struct {
	file  []byte
	d     *jsontext.Decoder
	depth int
	err   *BackupError
}

func newReader(file []byte) *reader {
	// A lone surrogate reads as U+FFFD. Bytes that are not UTF-8 are found at the end.
	lax := []jsontext.Options{jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)}
	return &reader{file: file, d: jsontext.NewDecoder(bytes.NewBuffer(file), lax...)}
}

// place returns the offset of the next token, for failAt.
func (r *reader) place() int {
	after := r.file[r.d.InputOffset():]
	return len(r.file) - len(bytes.TrimLeft(after, " \t\r\n,:"))
}

// fail stops the reader with an error at the last token. Only the first error is kept.
func (r *reader) fail(what string) { r.failAt(int(r.d.InputOffset()), what) }

// failAt is fail at an offset of the file.
func (r *reader) failAt(place int, what string) {
	if r.err == nil {
		r.err = &BackupError{Line: 1 + bytes.Count(r.file[:min(place, len(r.file))], []byte("\n")), Reason: what}
	}
}

// token returns the next token: a Kind for the begin or end of an object or array, a bool, float64 or string, or nil
// for null.
func (r *reader) token() any {
	if r.err != nil {
		return nil
	}
	t, err := r.d.ReadToken()
	if err != nil {
		place := r.place()
		if e, ok := errors.AsType[*jsontext.SyntacticError](err); ok {
			place, err = int(e.ByteOffset), e.Err
		}
		r.failAt(place, err.Error())
		return nil
	}
	switch k := t.Kind(); k {
	case '{', '[':
		if r.depth++; r.depth > maxDepth {
			r.fail("nested too deeply")
		}
		return k
	case '}', ']':
		r.depth--
		return k
	case 't', 'f':
		return t.Bool()
	case '0':
		n := t.Float()
		if math.Abs(n) == math.MaxFloat64 { // larger numbers read as this one
			r.fail("number too large")
		}
		return n
	case '"':
		s := t.String()
		if len(s) > maxText {
			r.fail("text too long")
		}
		return s
	}
	return nil
}

// object calls member with the name of each member. member must read the value.
func (r *reader) object(member func(name string)) {
	r.each('{', func() {
		if name := r.text(); r.err == nil {
			member(name)
		}
	})
}

// array calls element for each element, which element must read.
func (r *reader) array(element func()) { r.each('[', element) }

func (r *reader) each(open jsontext.Kind, one func()) {
	if r.token() != open {
		r.fail(open.String() + " expected")
	}
	for r.err == nil && !r.ends() {
		one()
	}
	r.token() // the end of the object or array
}

// value reads a string, float64 or bool.
func value[T any](r *reader) (v T) {
	v, ok := r.token().(T)
	if !ok {
		r.fail("value of the wrong kind")
	}
	return v
}

func (r *reader) text() string    { return value[string](r) }
func (r *reader) number() float64 { return value[float64](r) }
func (r *reader) truth() bool     { return value[bool](r) }

// skip discards any value.
func (r *reader) skip() { r.skipRest(r.token()) }

// skipRest discards the rest of a value whose first token is t.
func (r *reader) skipRest(t any) {
	if _, nested := t.(jsontext.Kind); nested {
		for outside := r.depth - 1; r.err == nil && r.depth > outside; {
			r.token()
		}
	}
}

// ends reports whether the object or array ends here.
func (r *reader) ends() bool {
	k := r.d.PeekKind()
	return k == '}' || k == ']'
}

// end fails if anything but white space follows, or if the file is not UTF-8.
func (r *reader) end() {
	if r.err != nil {
		return
	}
	if _, err := r.d.ReadToken(); err != io.EOF {
		r.fail("trailing data")
	}
	for place := 0; place < len(r.file); {
		c, n := utf8.DecodeRune(r.file[place:])
		if c == utf8.RuneError && n == 1 {
			r.failAt(place, "not UTF-8")
		}
		place += n
	}
}

// quote returns s as a JSON string, with U+FFFD for bytes that are not UTF-8.
func quote(s string) string {
	b, _ := jsontext.AppendQuote(nil, s) // its only error is invalid UTF-8
	return string(b)
}
