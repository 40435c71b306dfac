package importer

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// windows1252 are the letters at 0x80 to 0x9F, where Windows has some and Latin-1 has none.
const windows1252 = "€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ"

// text returns a field as it is kept: without blanks around it and Excel's ="…", in UTF-8, at most maxText bytes, in
// which no control character is left. A field that is no UTF-8 was written in Windows-1252, of which Latin-1 is a part.
// Looking at each field by itself costs nothing and is right also where rows of two encodings were pasted together.
func text(field []byte) string {
	b := trim(field)
	if len(b) > 2 && b[0] == '=' && b[1] == '"' && b[len(b)-1] == '"' {
		b = trim(b[2 : len(b)-1])
	}
	var s string
	if utf8.Valid(b) {
		s = cut(string(b[:min(len(b), maxText+utf8.UTFMax)]), maxText)
	} else {
		s = latin(b[:min(len(b), maxText)])
	}
	for _, r := range s {
		if control(r) {
			return printable(s)
		}
	}
	return s
}

// trim cuts blanks, tabs and line ends off both ends.
func trim(b []byte) []byte {
	for len(b) > 0 && b[0] <= ' ' {
		b = b[1:]
	}
	for len(b) > 0 && b[len(b)-1] <= ' ' {
		b = b[:len(b)-1]
	}
	return b
}

func control(r rune) bool { return r < ' ' || r >= 0x7F && r < 0xA0 || r == 0xFEFF }

// printable makes each run of control characters and blanks one blank.
func printable(s string) string {
	var b strings.Builder
	gap := false
	for _, r := range s {
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

// cut shortens a text to so many bytes, between two runes.
func cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

func latin(b []byte) string {
	var high []rune
	var s strings.Builder
	for _, c := range b {
		r := rune(c)
		if c >= 0x80 && c < 0xA0 {
			if high == nil {
				high = []rune(windows1252)
			}
			r = high[c-0x80]
		}
		s.WriteRune(r)
	}
	return cut(s.String(), maxText)
}

// number returns the first run of digits in s as a number, and what is behind it; ok is false where there is none or it
// has more than 18 digits.
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

// year reads "2004", "2004-05-01", "12 Sep 2004"; 0 where no number is one.
func year(s string) int {
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

// isbn reads an ISBN of 10 or 13 digits, hyphens or none, as the number of 13 digits without its check digit; 0 where
// it is none. Both forms of one book give one number.
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

// imdb reads an IMDb number: "tt0114709", an address that holds it, or its digits alone; 0 where there is none.
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

// digits writes a number, "" for none.
func digits(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}
