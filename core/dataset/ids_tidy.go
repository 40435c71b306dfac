package dataset

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// isNull reports whether b is no value: empty, or what databases, spreadsheets and programming languages write for a
// missing one. Words that may be names (Nan, Na, none) count only as these tools spell them.
func isNull(b []byte) bool {
	if len(b) == 0 {
		return true
	}
	if len(b) > 11 || isDigit(b[0]) {
		return false
	}
	switch string(b) {
	case `\N`, "NULL", "null", "Null", "(null)", "(NULL)", "[NULL]", "[null]", "<null>", "<NULL>", // databases
		"NA", "N/A", "n/a", "n.a.", "#N/A", "#NA", "#NULL!", "#REF!", "#VALUE!", "#DIV/0!", "#NAME?", "<NA>",
		"nan", "NaN", "NAN", "-nan", "-NaN", "NaT", "None", "nil", "<nil>", "undefined", "UNDEFINED",
		"(not set)", "(none)", "(empty)", "-":
		return true
	}
	return false
}

// tidyID returns an id without what nobody sees, so that it is the same for everybody who looks at it: invisible
// characters are left out, all kinds of blanks are blanks and are cut off at both ends, letters and their accents are
// one character (NFC), and e-mail addresses are in lower case. changed says whether anything was done; b is left alone.
func tidyID(b []byte) (id []byte, changed bool) {
	plain := true
	for _, c := range b {
		plain = plain && c < utf8.RuneSelf && c != '@'
	}
	if plain || !utf8.Valid(b) {
		return b, false
	}
	id = trim(norm.NFC.Bytes(visibleOnly(b)))
	if isEmail(id) {
		id = bytes.ToLower(id)
	}
	return id, !bytes.Equal(id, b)
}

// visibleOnly leaves invisible characters out and writes every kind of blank as one. The joiners of Persian, Hindi or
// of emoji stay where they stand between letters beyond ASCII: there they change what is seen.
func visibleOnly(b []byte) []byte {
	out := make([]byte, 0, len(b))
	last := rune(0)
	for i, r := range string(b) {
		switch {
		case r == '\u200c' || r == '\u200d':
			next, _ := utf8.DecodeRune(b[i+utf8.RuneLen(r):])
			if last < utf8.RuneSelf || next < utf8.RuneSelf || next == utf8.RuneError || hiddenRune(next) {
				continue
			}
		case hiddenRune(r):
			continue
		case r >= utf8.RuneSelf && unicode.IsSpace(r):
			r = ' '
		}
		out = utf8.AppendRune(out, r)
		last = r
	}
	return out
}

// hiddenRune reports whether nothing is seen of r: byte order marks, zero-width blanks, soft hyphens, the marks of
// direction.
func hiddenRune(r rune) bool {
	switch {
	case r == '\ufeff', r == '\u00ad', r == '\u034f', r == '\u061c', r == '\u180e', r == '\u115f', r == '\u3164',
		'\u200b' <= r && r <= '\u200f', '\u202a' <= r && r <= '\u202e', '\u2060' <= r && r <= '\u206f':
		return true
	}
	return false
}

// isEmail reports whether all of b has the form of an e-mail address.
func isEmail(b []byte) bool {
	name, domain, ok := bytes.Cut(b, []byte{'@'})
	return ok && len(name) > 0 && bytes.IndexByte(domain, '.') > 0 && !bytes.ContainsAny(b, " /\\:;,\"<>()") &&
		bytes.IndexByte(domain, '@') < 0
}
