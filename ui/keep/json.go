package keep

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"unicode/utf8"
)

// maxDepth bounds how deep objects and arrays may lie in one another.
const maxDepth = 16

// reader reads JSON from front to back, more strictly than encoding/json: texts are UTF-8 of at most maxText bytes,
// names of members are exact, and null stands for nothing. The caller says what comes next and skips what it does not
// know. After the first error everything reads as the zero value.
type reader struct {
	file  []byte
	d     *json.Decoder
	depth int
	err   *BackupError
}

func newReader(file []byte) *reader {
	return &reader{file: file, d: json.NewDecoder(bytes.NewReader(file))}
}

// place returns where the next token begins, for failAt.
func (r *reader) place() int {
	after := r.file[r.d.InputOffset():]
	return len(r.file) - len(bytes.TrimLeft(after, " \t\r\n,:"))
}

// fail has the reader stop with an error at the last token. Later errors are not kept.
func (r *reader) fail(what string) { r.failAt(int(r.d.InputOffset()), what) }

// failAt is fail for what stands at an offset of the file.
func (r *reader) failAt(place int, what string) {
	if r.err == nil {
		r.err = &BackupError{Line: 1 + bytes.Count(r.file[:min(place, len(r.file))], []byte("\n")), What: what}
	}
}

// token returns the next token: a json.Delim, bool, float64, string, or nil for null.
func (r *reader) token() json.Token {
	if r.err != nil {
		return nil
	}
	t, err := r.d.Token()
	if err != nil {
		place := r.place()
		if e, ok := errors.AsType[*json.SyntaxError](err); ok {
			place = int(e.Offset)
		}
		r.failAt(place, err.Error())
		return nil
	}
	switch t := t.(type) {
	case string:
		if len(t) > maxText {
			r.fail("a text is longer than it may be")
		}
	case json.Delim:
		if t == '}' || t == ']' {
			r.depth--
		} else if r.depth++; r.depth > maxDepth {
			r.fail("it is nested too deeply")
		}
	}
	return t
}

// object calls member with the name of each member, which has to read the value.
func (r *reader) object(member func(name string)) {
	r.each('{', func() {
		if name := r.text(); r.err == nil {
			member(name)
		}
	})
}

// array calls element for each element, which has to read it.
func (r *reader) array(element func()) { r.each('[', element) }

func (r *reader) each(open json.Delim, one func()) {
	if r.token() != open {
		r.fail("a " + open.String() + " is missing")
	}
	for r.err == nil && r.d.More() {
		one()
	}
	r.token() // the end of the object or array
}

// value reads a value that is a T: string, float64 or bool.
func value[T any](r *reader) (v T) {
	v, ok := r.token().(T)
	if !ok {
		r.fail("a value is of another kind than it should be")
	}
	return v
}

func (r *reader) text() string    { return value[string](r) }
func (r *reader) number() float64 { return value[float64](r) }
func (r *reader) truth() bool     { return value[bool](r) }

// skip reads any value and forgets it.
func (r *reader) skip() { r.skipRest(r.token()) }

// skipRest reads what is left of the value that begins with the token t.
func (r *reader) skipRest(t json.Token) {
	if _, nested := t.(json.Delim); nested {
		for outside := r.depth - 1; r.err == nil && r.depth > outside; {
			r.token()
		}
	}
}

// end fails where anything but white space follows, or where the file is not UTF-8.
func (r *reader) end() {
	if r.err != nil {
		return
	}
	if _, err := r.d.Token(); err != io.EOF {
		r.fail("something follows its end")
	}
	for place := 0; place < len(r.file); {
		c, n := utf8.DecodeRune(r.file[place:])
		if c == utf8.RuneError && n == 1 {
			r.failAt(place, "a text is not UTF-8")
		}
		place += n
	}
}

// quote returns s as JSON.
func quote(s string) string {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false) // people read the file
	e.Encode(s)            // a text in memory has no error
	return strings.TrimSuffix(b.String(), "\n")
}
