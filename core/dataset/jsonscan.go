package dataset

import (
	"unicode/utf16"
	"unicode/utf8"
)

// jsonScanner walks over one JSON object without building it: review files hold long texts of which a line's few
// wanted values are a hundredth. It takes what RFC 8259 takes, nested at most maxDepth.
type jsonScanner struct {
	b       []byte
	i       int
	scratch []byte // unescaped strings of the current object
}

// jsonKind is the kind of a JSON value.
type jsonKind byte

const (
	jsonString jsonKind = iota
	jsonNumber
	jsonBool
	jsonNull
	jsonOther // an array or an object
)

// object calls visit for each member of the object that b holds, in order, a string's value unescaped, any other as
// it stands. It returns what is wrong with b, or "".
func (j *jsonScanner) object(b []byte, visit func(key, value []byte, kind jsonKind)) string {
	j.b, j.i, j.scratch = b, 0, j.scratch[:0]
	j.blanks()
	switch {
	case j.i < len(b) && b[j.i] == '[':
		return "the file holds a JSON array; write one object a line instead (jq -c '.[]')"
	case !j.take('{'):
		return "a line of this file is a JSON object in braces"
	}
	j.blanks()
	if !j.take('}') {
		for {
			j.blanks()
			if j.i < len(b) && b[j.i] == '\'' {
				return "JSON strings stand in double quotes; this looks like a Python dictionary"
			}
			key, ok := j.str()
			if !ok {
				return "a JSON key is not a proper string"
			}
			j.blanks()
			if !j.take(':') {
				return "a colon is missing behind a JSON key"
			}
			j.blanks()
			value, kind, ok := j.value(0)
			if !ok {
				return "a JSON value is broken; is the line complete?"
			}
			visit(key, value, kind)
			j.blanks()
			if j.take(',') {
				continue
			}
			if j.take('}') {
				break
			}
			return "a comma or a closing brace is missing; is the line complete?"
		}
	}
	j.blanks()
	if j.i != len(b) {
		return "something follows the JSON object; there is one object a line"
	}
	return ""
}

func (j *jsonScanner) blanks() {
	for j.i < len(j.b) && (j.b[j.i] == ' ' || j.b[j.i] == '\t' || j.b[j.i] == '\r' || j.b[j.i] == '\n') {
		j.i++
	}
}

func (j *jsonScanner) take(c byte) bool {
	if j.i < len(j.b) && j.b[j.i] == c {
		j.i++
		return true
	}
	return false
}

// str reads a string. It is a part of the line where nothing is escaped.
func (j *jsonScanner) str() ([]byte, bool) {
	if !j.take('"') {
		return nil, false
	}
	begin := j.i
	for ; j.i < len(j.b); j.i++ {
		switch c := j.b[j.i]; {
		case c == '"':
			j.i++
			return j.b[begin : j.i-1], true
		case c == '\\':
			return j.escaped(begin)
		case c < ' ':
			return nil, false
		}
	}
	return nil, false
}

// escaped reads on in a string that has an escape at i.
func (j *jsonScanner) escaped(begin int) ([]byte, bool) {
	from := len(j.scratch)
	j.scratch = append(j.scratch, j.b[begin:j.i]...)
	for j.i < len(j.b) {
		c := j.b[j.i]
		j.i++
		switch {
		case c == '"':
			return j.scratch[from:len(j.scratch):len(j.scratch)], true
		case c < ' ':
			return nil, false
		case c != '\\':
			j.scratch = append(j.scratch, c)
			continue
		}
		if j.i == len(j.b) {
			return nil, false
		}
		c = j.b[j.i]
		j.i++
		switch c {
		case '"', '\\', '/':
			j.scratch = append(j.scratch, c)
		case 'b':
			j.scratch = append(j.scratch, '\b')
		case 'f':
			j.scratch = append(j.scratch, '\f')
		case 'n':
			j.scratch = append(j.scratch, '\n')
		case 'r':
			j.scratch = append(j.scratch, '\r')
		case 't':
			j.scratch = append(j.scratch, '\t')
		case 'u':
			r, ok := j.hex()
			if !ok {
				return nil, false
			}
			if utf16.IsSurrogate(r) {
				back := j.i
				var low rune
				if j.take('\\') && j.take('u') {
					low, _ = j.hex()
				}
				if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
					j.i = back // a lone half: what follows is read by itself
				}
			}
			j.scratch = utf8.AppendRune(j.scratch, r)
		default:
			return nil, false
		}
	}
	return nil, false
}

func (j *jsonScanner) hex() (rune, bool) {
	if len(j.b)-j.i < 4 {
		return 0, false
	}
	var r rune
	for _, c := range j.b[j.i : j.i+4] {
		switch {
		case isDigit(c):
			r = r<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case 'A' <= c && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	j.i += 4
	return r, true
}

func (j *jsonScanner) value(depth int) ([]byte, jsonKind, bool) {
	begin := j.i
	if begin == len(j.b) || depth > maxDepth {
		return nil, jsonOther, false
	}
	switch c := j.b[begin]; {
	case c == '"':
		v, ok := j.str()
		return v, jsonString, ok
	case c == '-' || isDigit(c):
		ok := j.number()
		return j.b[begin:j.i], jsonNumber, ok
	case c == 'n':
		return j.b[begin:], jsonNull, j.literal("null")
	case c == 't':
		ok := j.literal("true")
		return j.b[begin:j.i], jsonBool, ok
	case c == 'f':
		ok := j.literal("false")
		return j.b[begin:j.i], jsonBool, ok
	case c == '[' || c == '{':
		j.i++
		ok := j.members(c, depth)
		return j.b[begin:j.i], jsonOther, ok
	}
	return nil, jsonOther, false
}

// members walks over the inside of an array or an object.
func (j *jsonScanner) members(open byte, depth int) bool {
	closing := open + 2 // ']' and '}' stand two behind their opening bracket in ASCII
	j.blanks()
	if j.take(closing) {
		return true
	}
	for {
		j.blanks()
		if open == '{' {
			if _, ok := j.str(); !ok {
				return false
			}
			j.blanks()
			if !j.take(':') {
				return false
			}
			j.blanks()
		}
		if _, _, ok := j.value(depth + 1); !ok {
			return false
		}
		j.blanks()
		if j.take(',') {
			continue
		}
		return j.take(closing)
	}
}

func (j *jsonScanner) literal(s string) bool {
	if len(j.b)-j.i < len(s) || string(j.b[j.i:j.i+len(s)]) != s {
		return false
	}
	j.i += len(s)
	return true
}

// number takes -?(0|[1-9][0-9]*)(.[0-9]+)?([eE][+-]?[0-9]+)?
func (j *jsonScanner) number() bool {
	j.take('-')
	if !j.take('0') && !j.digits() {
		return false
	}
	if j.take('.') && !j.digits() {
		return false
	}
	if j.take('e') || j.take('E') {
		if !j.take('+') {
			j.take('-')
		}
		return j.digits()
	}
	return true
}

func (j *jsonScanner) digits() bool {
	begin := j.i
	for j.i < len(j.b) && isDigit(j.b[j.i]) {
		j.i++
	}
	return j.i > begin
}
