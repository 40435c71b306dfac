package dataset

import (
	"bytes"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// isNull reports whether b is a missing value: empty, or a word that databases, spreadsheets and programming languages
// write for one. Words that may be names (Nan, Na, none) count only as these tools spell them.
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

// tidyID returns an id without invisible differences: it removes invisible characters, turns all kinds of blanks into
// plain ones and trims them, composes letters with their accents (NFC), and brings e-mail addresses to lower case.
// changed reports whether it changed anything; b is not modified.
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

// visibleOnly removes invisible characters and writes every kind of blank as a plain one. Joiners in Persian, Hindi and
// emoji stay between letters beyond ASCII, where they are visible.
func visibleOnly(b []byte) []byte {
	out := make([]byte, 0, len(b))
	last := rune(0)
	for i, r := range string(b) {
		switch {
		case r == '\u200c' || r == '\u200d':
			next, _ := utf8.DecodeRune(b[i+utf8.RuneLen(r):])
			if last < utf8.RuneSelf || next < utf8.RuneSelf || next == utf8.RuneError || hiddenRune(next) ||
				unicode.IsSpace(next) {
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

// hiddenRune reports whether r is invisible: byte order marks, zero-width blanks, soft hyphens, directional marks.
func hiddenRune(r rune) bool {
	switch {
	case r == '\ufeff', r == '\u00ad', r == '\u034f', r == '\u061c', r == '\u180e', r == '\u115f', r == '\u3164',
		'\u200b' <= r && r <= '\u200f', '\u202a' <= r && r <= '\u202e', '\u2060' <= r && r <= '\u206f':
		return true
	}
	return false
}

// isEmail reports whether b as a whole has the form of an e-mail address.
func isEmail(b []byte) bool {
	name, domain, ok := bytes.Cut(b, []byte{'@'})
	return ok && len(name) > 0 && bytes.IndexByte(domain, '.') > 0 && !bytes.ContainsAny(b, " /\\:;,\"<>()") &&
		bytes.IndexByte(domain, '@') < 0
}
