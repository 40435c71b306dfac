package dataset

import (
	"bytes"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
)

// The years that parseYear takes from a text.
const (
	firstYear = 1000
	lastYear  = 2100
)

var (
	// aYear finds a year in a text that is not a date: "May 1999", "(1999)", "1999–2003".
	aYear = regexp.MustCompile(`(?:^|[^\d.,])(1\d{3}|20\d{2}|2100)(?:$|[^\d.,])`)
	// yearFirst finds dates that begin with a year: 1999-05-25, 1999/5, 1999年5月.
	yearFirst = regexp.MustCompile(`^(\d{4})(?:[-/.年년]|-?\d{2}-?\d{2}$)`)
)

// parseYear returns the year of a text: 1995, 1995.0, (1995), a date, seconds since 1970, a day of Excel, or else the
// first year that the text holds. 0 means unknown; ok is false for a text that is not empty and holds no year.
func parseYear(b []byte) (year int, ok bool) {
	b = trim(b)
	if isNull(b) {
		return 0, true
	}
	if v, isNumber := parseYearNumber(b); isNumber {
		return v, v > 0 || len(bytes.Trim(b, "0.")) == 0
	}
	if len(b) > 64 {
		return 0, false
	}
	text := strings.Trim(string(b), "()[]\"'~©℗ ")
	if m := yearFirst.FindStringSubmatch(text); m != nil {
		y, _ := strconv.Atoi(m[1])
		return plausibleYear(y)
	}
	if m := numericDate.FindStringSubmatch(text); m != nil {
		if t, ok := parseWritten(text, dayFirst); ok {
			return plausibleYear(time.Unix(t, 0).UTC().Year())
		} else if t, ok := parseWritten(text, monthFirst); ok {
			return plausibleYear(time.Unix(t, 0).UTC().Year())
		}
		return 0, false
	}
	if m := aYear.FindStringSubmatch(text); m != nil {
		y, _ := strconv.Atoi(m[1])
		return y, true
	}
	if t, ok := parseTime([]byte(text), dayFirst); ok && t != 0 {
		return plausibleYear(time.Unix(t, 0).UTC().Year())
	}
	return 0, false
}

func plausibleYear(y int) (int, bool) {
	if y < 1 || y > lastYear {
		return 0, false
	}
	return y, true
}

// parseYearNumber reads numbers: of up to four digits a year, of five a day of Excel, of eight a date, of more seconds
// or milliseconds since 1970. 0 is not a year.
func parseYearNumber(b []byte) (year int, isNumber bool) {
	whole, rest, _ := bytes.Cut(b, []byte{'.'})
	if len(bytes.Trim(rest, "0123456789")) > 0 {
		return 0, false
	}
	v, ok := parseInt(whole)
	if !ok {
		return 0, false
	}
	switch n := len(bytes.TrimPrefix(whole, []byte{'-'})); {
	case n <= 4 && len(bytes.Trim(rest, "0")) == 0:
		year, _ = plausibleYear(int(v))
	case n == 5 && v > 0:
		if t := excelDay(float64(v)); v >= 10_000 && v < 80_000 {
			year = time.Unix(t, 0).UTC().Year()
		}
	case n == 8 && v > 0:
		if t, ok := compactDay(whole); ok {
			year = time.Unix(t, 0).UTC().Year()
		}
	case n >= 9:
		year, _ = plausibleYear(time.Unix(seconds(v), 0).UTC().Year())
	}
	return year, true
}

// splitGenres returns the genres of a field: the elements of a list in the notation of JSON, Python or PostgreSQL, or
// the parts between |, or else ;, or else commas. It skips words for a missing value and MovieLens' "(no genres
// listed)".
func splitGenres(b []byte) (out []string) {
	if b = trim(b); isNull(b) {
		return nil
	}
	text := string(b)
	parts, ok := literalList(text)
	if !ok {
		sep := ","
		for _, c := range []string{"|", ";"} {
			if strings.Contains(text, c) {
				sep = c
				break
			}
		}
		parts = strings.Split(text, sep)
	}
	for _, g := range parts {
		g = strings.TrimSpace(g)
		if g != "" && g != "(no genres listed)" && (len(g) > 11 || !isNull([]byte(g))) && !slices.Contains(out, g) {
			out = append(out, g)
		}
		if len(out) > maxGenres {
			return out // one more than is allowed, which the caller reports
		}
	}
	return out
}

// literal parses lists and objects as JSON, Python and PostgreSQL write them: ["a", "b"], ['a' 'b'], [{'id': 16,
// 'name': 'a'}], {a,"b c"}, ('a',).
type literal struct {
	text  string
	at    int
	depth int
	bad   bool
}

// literalList returns the texts of a list, and whether text is one.
func literalList(text string) (parts []string, ok bool) {
	if len(text) < 2 || strings.IndexByte("[{(", text[0]) < 0 || strings.IndexByte("]})", text[len(text)-1]) < 0 ||
		text[0] == '(' && !strings.ContainsAny(text, `'"`) {
		return nil, false
	}
	l := literal{text: text}
	parts = l.value()
	l.blanks()
	return parts, !l.bad && l.at == len(text)
}

func (l *literal) blanks() {
	for l.at < len(l.text) && strings.IndexByte(" \t\r\n", l.text[l.at]) >= 0 {
		l.at++
	}
}

// peek returns the next byte that is not blank, 0 at the end.
func (l *literal) peek() byte {
	if l.blanks(); l.at < len(l.text) {
		return l.text[l.at]
	}
	return 0
}

// value reads a value and returns its texts: the elements of a list, or the name of an object.
func (l *literal) value() []string {
	switch c := l.peek(); c {
	case 0:
		l.bad = true
		return nil
	case '[', '{', '(':
		return l.group(map[byte]byte{'[': ']', '{': '}', '(': ')'}[c])
	case '"', '\'':
		return []string{l.quoted(c)}
	}
	return []string{l.word()}
}

// group reads the elements up to the byte that closes them.
func (l *literal) group(end byte) (parts []string) {
	l.at++
	if l.depth++; l.depth > 8 {
		l.bad = true
	}
	defer func() { l.depth-- }()
	members := map[string][]string{}
	var keys []string
	for !l.bad {
		switch l.peek() {
		case 0:
			l.bad = true
			return nil
		case end:
			l.at++
			if len(keys) > 0 {
				return objectName(keys, members)
			}
			return parts
		case ',':
			l.at++
			continue
		}
		before := l.at
		element := l.value()
		if end == '}' && l.peek() == ':' && len(element) == 1 {
			l.at++
			if keys = append(keys, element[0]); len(keys) > maxGenres {
				l.bad = true
			}
			members[element[0]] = l.value()
			continue
		}
		l.bad = l.bad || l.at == before
		parts = append(parts, element...)
	}
	return parts
}

// objectName returns the text that names an object: its name, title or label; or else its keys if the values are
// numbers; or else its values.
func objectName(keys []string, members map[string][]string) (out []string) {
	for _, want := range []string{"name", "title", "label", "genre", "category", "tag", "value", "text", "description",
		"slug"} {
		for _, k := range keys {
			if strings.EqualFold(k, want) && len(members[k]) > 0 {
				return members[k]
			}
		}
	}
	numbers := true
	for _, k := range keys {
		for _, v := range members[k] {
			_, is := parseNumber([]byte(v))
			numbers = numbers && is
			out = append(out, v)
		}
	}
	if numbers {
		return keys
	}
	return out
}

// quoted reads a text in quotes.
func (l *literal) quoted(quote byte) string {
	var b strings.Builder
	for l.at++; l.at < len(l.text); l.at++ {
		switch c := l.text[l.at]; {
		case c == quote:
			l.at++
			return b.String()
		case c == '\\' && l.at+1 < len(l.text):
			l.at++
			l.escape(&b)
		default:
			b.WriteByte(c)
		}
	}
	l.bad = true
	return ""
}

// escape writes the character that the escape at l.at, behind its backslash, stands for.
func (l *literal) escape(b *strings.Builder) {
	c := l.text[l.at]
	if n := map[byte]int{'u': 4, 'x': 2}[c]; n > 0 && l.at+n < len(l.text) {
		if v, err := strconv.ParseUint(l.text[l.at+1:l.at+1+n], 16, 32); err == nil {
			b.WriteRune(rune(v))
			l.at += n
			return
		}
	}
	switch c {
	case 'n', 't', 'r':
		c = ' '
	}
	b.WriteByte(c)
}

// word reads a text without quotes.
func (l *literal) word() string {
	from := l.at
	for l.at < len(l.text) && strings.IndexByte(`,:[]{}()"`, l.text[l.at]) < 0 {
		l.at++
	}
	return strings.TrimRightFunc(l.text[from:l.at], unicode.IsSpace)
}

var (
	htmlEntity = regexp.MustCompile(`&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});`)
	htmlTag    = regexp.MustCompile(`(?i)</?(?:a|abbr|b|big|blockquote|br|cite|code|del|div|em|font|h[1-6]|hr|i|img|` +
		`ins|li|mark|ol|p|s|small|span|strike|strong|sub|sup|table|tbody|td|th|tr|tt|u|ul|wbr)(?:\s[^<>]*)?/?>|` +
		`<!--[^<>]*-->|<!\[CDATA\[|\]\]>`)
	htmlBreak = regexp.MustCompile(`(?i)^</?(?:br|p|div|li|td|th|tr|h[1-6]|hr|blockquote|table|ul|ol)\b`)
)

// plainHTML returns a text without HTML. It decodes character references, up to three times since programs may encode
// them repeatedly, and removes tags. In addresses it only decodes &amp;.
func plainHTML(b []byte) (plain []byte, changed bool) {
	if bytes.IndexByte(b, '&') < 0 && bytes.IndexByte(b, '<') < 0 && !bytes.Contains(b, []byte("]]>")) {
		return b, false
	}
	text := string(b)
	if lower := strings.ToLower(text); strings.HasPrefix(lower, "http://") || strings.HasPrefix(lower, "https://") {
		text = strings.ReplaceAll(text, "&amp;", "&")
		return []byte(text), text != string(b)
	}
	for range 3 {
		once := htmlEntity.ReplaceAllStringFunc(text, func(entity string) string {
			if plain := html.UnescapeString(entity); plain != "\x00" && !strings.HasSuffix(plain, ";") {
				return plain
			}
			return entity
		})
		if once == text {
			break
		}
		text = once
	}
	text = htmlTag.ReplaceAllStringFunc(text, func(tag string) string {
		if htmlBreak.MatchString(tag) {
			return " "
		}
		return ""
	})
	if text == string(b) {
		return b, false
	}
	text = strings.ReplaceAll(text, "\u00a0", " ")
	return []byte(strings.Join(strings.Fields(text), " ")), true
}
