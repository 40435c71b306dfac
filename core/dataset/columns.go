package dataset

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
)

// role is what a column means.
type role int

const (
	roleUser role = iota
	roleItem
	roleRating
	roleTime
	roles
)

var roleNames = [roles]string{"user", "item", "rating", "time"}

// commonNames are the column names and JSON keys tried for each role, the first found counts. They are compared in
// plain form: see plainName.
var commonNames = [roles][]string{
	{"user", "userid", "reviewerid", "uid", "username", "customerid", "customer", "visitorid", "memberid", "accountid", "profileid", "reviewer"},
	{"item", "itemid", "movieid", "parentasin", "asin", "bookid", "productid", "businessid", "trackid", "songid", "artistid", "gameid", "animeid", "recipeid", "locationid",
		"movie", "book", "product", "track", "song", "artist", "game", "location", "isbn", "iid", "sku"},
	{"rating", "ratings", "score", "stars", "overall", "bookrating", "userrating", "myrating", "reviewoverall", "preference"},
	{"timestamp", "time", "unixreviewtime", "date", "datetime", "dateadded", "createdat", "unixtime", "reviewtime", "ratedat", "addedat", "ts"},
}

// plainName brings column names to one form: lower case, without blanks, underscores, hyphens and dots, and without
// the type that RecBole's files put behind a colon.
func plainName(name string) string {
	name, _, _ = strings.Cut(name, ":")
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '_', '-', '.', '"':
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// layout says what the columns of a delimited file mean.
type layout struct {
	header  bool
	columns [roles]int // 0-based, −1: none
	names   [roles]string
	fields  int // that each line must have

	zeroUnrated bool // a rating of 0 means none: the Goodreads summary user_id,book_id,is_read,rating,is_reviewed
}

// asked returns what the options ask of a role.
func (c Columns) asked(r role) string { return [roles]string{c.User, c.Item, c.Rating, c.Time}[r] }

// number reads a 1-based column number.
func number(s string) (int, bool) {
	n, err := strconv.Atoi(s)
	return n - 1, err == nil && n >= 1 && n <= maxFields
}

// resolve finds the columns from the first line's fields.
func (l *layout) resolve(path string, first [][]byte, o Options) error {
	have := make([]string, len(first))
	plain := make([]string, len(first))
	for i, f := range first {
		have[i] = shorten(trim(f))
		plain[i] = plainName(have[i])
	}
	switch o.Header {
	case HeaderYes:
		l.header = true
	case HeaderDetect:
		l.header = looksLikeHeader(first, plain, o.Columns)
	}
	l.fields = len(first)
	l.zeroUnrated = l.header && slices.Contains(plain, "isread") && slices.Contains(plain, "isreviewed")
	for r := range roles {
		l.columns[r] = -1
		l.names[r] = roleNames[r]
		asked := o.Columns.asked(r)
		switch {
		case asked == "-" && r >= roleRating:
			continue
		case asked == "" && l.header:
			l.columns[r] = common(plain, r)
		case asked == "":
			continue // by place, below
		default:
			l.columns[r] = -1
			if l.header {
				l.columns[r] = named(have, plain, asked)
			}
			if n, ok := number(asked); ok && l.columns[r] < 0 && n < len(first) {
				l.columns[r] = n
			}
			if l.columns[r] < 0 {
				return &ColumnError{path, roleNames[r], asked, numbered(have, l.header)}
			}
		}
	}
	if !l.header && o.Columns.User == "" && o.Columns.Item == "" {
		l.places(first, o.Columns)
	}
	for r := range roles {
		if l.columns[r] < 0 && r <= roleItem {
			return &ColumnError{path, roleNames[r], "", numbered(have, l.header)}
		}
		if l.columns[r] >= 0 && l.header {
			l.names[r] = have[l.columns[r]]
		}
	}
	return nil
}

// places gives the usual order user, item, rating, time to the columns of a file without a header. A third column
// is a rating where it is a small number, and a time where it is a large one or a date.
func (l *layout) places(first [][]byte, asked Columns) {
	if len(first) < 2 {
		return
	}
	l.columns[roleUser], l.columns[roleItem] = 0, 1
	at := 2
	if asked.Rating == "" && len(first) > at {
		if v, ok := parseRating(trim(first[at])); ok && v < 1e8 {
			l.columns[roleRating] = at
			at++
		}
	}
	if asked.Time == "" && len(first) > at && len(trim(first[at])) > 0 {
		if _, ok := parseTime(trim(first[at])); ok {
			l.columns[roleTime] = at
		}
	}
}

// looksLikeHeader reports whether the first line holds names: one that is asked for, one that is known, or text in a
// column that was asked for as a rating or a time by number.
func looksLikeHeader(first [][]byte, plain []string, c Columns) bool {
	for r := range roles {
		asked := c.asked(r)
		n, isNumber := number(asked)
		if asked != "" && asked != "-" && !isNumber {
			return true // a name needs a header to stand in; where it does not, resolve says so
		}
		if common(plain, r) >= 0 {
			return true
		}
		if isNumber && n < len(first) {
			_, okRating := parseRating(trim(first[n]))
			_, okTime := parseTime(trim(first[n]))
			if r == roleRating && !okRating || r == roleTime && !okTime {
				return true
			}
		}
	}
	return false
}

func common(plain []string, r role) int {
	for _, name := range commonNames[r] {
		for i, p := range plain {
			if p == name {
				return i
			}
		}
	}
	return -1
}

// named finds a column by the very name, or else by its plain form.
func named(have, plain []string, asked string) int {
	for i, h := range have {
		if h == asked {
			return i
		}
	}
	for i, p := range plain {
		if p == plainName(asked) {
			return i
		}
	}
	return -1
}

// numbered lists at most 40 columns for an error.
func numbered(have []string, header bool) []string {
	var out []string
	for i, h := range have {
		if i == 40 {
			return append(out, "…")
		}
		if header {
			out = append(out, strconv.Quote(h))
		} else {
			out = append(out, strconv.Itoa(i+1)+" ("+h+")")
		}
	}
	return out
}

// delimiters that are tried, in this order.
var delimiters = []string{"::", "\t", ",", ";", "|", " "}

// guessDelimiter returns the first delimiter that cuts every line of head, the last perhaps partial one left out, into
// at least two fields; "" if none does.
func guessDelimiter(head []byte) string {
	lines := completeLines(head, 20)
	for _, d := range delimiters {
		ok := len(lines) > 0
		for _, l := range lines {
			ok = ok && bytes.Contains(l, []byte(d))
		}
		if ok {
			return d
		}
	}
	// Quoted fields may hold line ends, so that some lines have no delimiter: the first line decides.
	for _, d := range delimiters[:5] {
		if len(lines) > 0 && bytes.Contains(lines[0], []byte(d)) {
			return d
		}
	}
	return ""
}

// completeLines returns the first n lines of head that are not blank; the last one only if it is the only one or is
// complete.
func completeLines(head []byte, n int) [][]byte {
	var out [][]byte
	for len(head) > 0 && len(out) < n {
		line, rest, complete := bytes.Cut(head, []byte("\n"))
		line = bytes.TrimRight(line, "\r")
		if len(trim(line)) > 0 && (complete || len(head) < sniffed || len(out) == 0) {
			out = append(out, line)
		}
		head = rest
	}
	return out
}
