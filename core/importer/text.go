package importer

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// windows1252 are the characters of Windows-1252 at 0x80 to 0x9F; the others agree with Latin-1. The tables of
// golang.org/x/text/encoding/charmap would add 19 KB to the page's program; a test compares with them.
var windows1252 = []rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")

// fromWindows1252 converts s from Windows-1252 to UTF-8. O(len(s)).
func fromWindows1252(s string) string {
	out := make([]rune, len(s))
	for i := range len(s) {
		out[i] = rune(s[i])
		if s[i] >= 0x80 && s[i] < 0xA0 {
			out[i] = windows1252[s[i]-0x80]
		}
	}
	return string(out)
}

// windows1251 are the characters of Windows-1251 at 0x80 to 0xBF; the Cyrillic letters follow.
var windows1251 = []rune("ЂЃ‚ѓ„…†‡€‰Љ‹ЊЌЋЏђ‘’“”•–—\u0098™љ›њќћџ\u00A0ЎўЈ¤Ґ¦§Ё©Є«¬\u00AD®Ї°±Ііґµ¶·ё№є»јЅѕї")

// utf8Of converts a file in UTF-16 with a byte order mark, or in Windows-1251, to UTF-8. It recognises Windows-1251 by
// runs of non-ASCII letters; in Windows-1252 most are single. Other files are returned unchanged, except for a byte
// order mark. O(len(b)).
func utf8Of(b []byte) []byte {
	b = bytes.TrimPrefix(b, byteOrderMark)
	if len(b) > 1 && (b[0] == 0xFF && b[1] == 0xFE || b[0] == 0xFE && b[1] == 0xFF) {
		low := int(b[0]&1 ^ 1) // index of the lower byte of each pair
		units := make([]uint16, len(b)/2-1)
		for i := range units {
			units[i] = uint16(b[2*i+2+low]) | uint16(b[2*i+3-low])<<8
		}
		return []byte(string(utf16.Decode(units)))
	}
	high, inRuns, run := 0, 0, 0
	for _, c := range b[:min(len(b), 1<<16)] {
		if c < 0x80 {
			run = 0
			continue
		}
		high++
		if run++; run == 3 {
			inRuns += 3
		} else if run > 3 {
			inRuns++
		}
	}
	if 2*inRuns <= high || utf8.Valid(b) {
		return b
	}
	out := make([]byte, 0, len(b)+high)
	for _, c := range b {
		r := rune(c)
		if c >= 0xC0 {
			r = 'А' + rune(c-0xC0)
		} else if c >= 0x80 {
			r = windows1251[c-0x80]
		}
		out = utf8.AppendRune(out, r)
	}
	return out
}

// text cleans a field: without surrounding blanks, Excel's ="…" and control characters, in UTF-8, at most maxText
// bytes. A field that is not UTF-8 is read as Windows-1252, which includes Latin-1. The encoding is detected for each
// field, because a table may have rows in two encodings.
func text(field string) string {
	s := strings.Trim(field, blank)
	if len(s) > 2 && strings.HasPrefix(s, `="`) && s[len(s)-1] == '"' {
		s = strings.Trim(s[2:len(s)-1], blank)
	}
	if !utf8.ValidString(s) {
		s = fromWindows1252(s[:min(len(s), maxText)])
	}
	s = unescape(cut(s, maxText))
	if strings.ContainsFunc(s, control) {
		return printable(s)
	}
	return s
}

// blank are the ASCII control characters and the space.
const blank = "\x00\x01\x02\x03\x04\x05\x06\x07\x08\t\n\v\f\r\x0e\x0f" +
	"\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f "

func control(r rune) bool { return r < ' ' || r >= 0x7F && r < 0xA0 || invisible(r) }

// invisible reports whether a rune is a joiner, a zero-width space or a byte order mark.
func invisible(r rune) bool { return r >= 0x200B && r <= 0x200D || r == 0x2060 || r == 0xFEFF }

// printable replaces each run of control characters and blanks by one blank.
func printable(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range s {
		if invisible(r) {
			continue
		}
		if control(r) || r == ' ' {
			gap = true
			continue
		}
		if gap && b.Len() > 0 {
			b.WriteByte(' ')
		}
		gap = false
		b.WriteRune(r)
	}
	return b.String()
}

// cut shortens a text to at most most bytes, between two runes.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// number returns the first run of digits in s as a number, and the rest after it; ok is false for a number of more than
// 18 digits, and without any.
func number(s string) (n int, rest string, ok bool) {
	from := 0
	for from < len(s) && (s[from] < '0' || s[from] > '9') {
		from++
	}
	if from == len(s) {
		return 0, "", false
	}
	i := from
	for ; i < len(s) && s[i] >= '0' && s[i] <= '9'; i++ {
		if i-from == 18 {
			return 0, "", false
		}
		n = n*10 + int(s[i]-'0')
	}
	return n, s[i:], true
}

// year parses "2004", "2004-05-01", "12 Sep 2004", or a date in days as in workbooks; 0 without a year.
func year(s string) int {
	if n, rest, ok := number(s); ok && rest == "" && len(s) == 5 {
		return 1900 + n*100/36525
	}
	for {
		n, rest, ok := number(s)
		if !ok {
			return 0
		}
		if n >= 1000 && n <= 2200 {
			return n
		}
		s = rest
	}
}

// isbn parses an ISBN of 10 or 13 digits, with or without hyphens. It returns the 13-digit number without its check
// digit, so both forms of a book give one number; 0 if s is not an ISBN.
func isbn(s string) int {
	n, digits := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			n, digits = n*10+int(c-'0'), digits+1
		case (c == 'X' || c == 'x') && digits == 9 && i == len(s)-1:
			n, digits = n*10, 10
		case c != '-' && c != ' ':
			return 0
		}
		if digits > 13 {
			return 0
		}
	}
	switch {
	case digits == 10:
		return 978_000_000_000 + n/10
	case digits == 13:
		return n / 10
	}
	return 0
}

// imdb parses an IMDb number: "tt0114709", a URL that contains it, or its digits alone; otherwise 0.
func imdb(s string) int {
	if i := strings.LastIndex(s, "tt"); i >= 0 {
		s = s[i+2:]
	}
	if s == "" || s[0] < '0' || s[0] > '9' {
		return 0
	}
	n, _, _ := number(s)
	return n
}

// ttNumber parses "tt0114709", or a text or URL that contains it; otherwise 0.
func ttNumber(s string) int {
	for i := len(s) - 3; i >= 0; i-- {
		if s[i] == 't' && s[i+1] == 't' && s[i+2] >= '0' && s[i+2] <= '9' {
			n, _, _ := number(s[i:])
			return n
		}
	}
	return 0
}

// imdbIn parses an IMDb number in an export: like ttNumber, or four or more digits alone, as some exports write it;
// otherwise 0. A rating such as 8.5 does not count.
func imdbIn(s string) int {
	if n := ttNumber(s); n != 0 {
		return n
	}
	if n, rest, ok := number(s); ok && rest == "" && len(s) >= 4 && n > 0 && s[0] >= '0' && s[0] <= '9' {
		return n
	}
	return 0
}
