package dataset

import (
	"math"
	"strconv"
	"time"
	"unicode/utf8"
)

// checkID says why b cannot be an id: ids are 1 to 1,024 bytes of UTF-8 without control characters, because they go
// into model files and onto pages.
func checkID(b []byte) *idError {
	switch {
	case len(b) == 0:
		return &idError{what: "an id must not be empty"}
	case len(b) > maxIDLength:
		return &idError{what: "an id has at most 1,024 bytes; are the columns and the delimiter right?"}
	}
	ascii := true
	for _, c := range b {
		if c < ' ' || c == 0x7f {
			return &idError{what: "an id must not hold control characters; is this a text file?"}
		}
		ascii = ascii && c < utf8.RuneSelf
	}
	if !ascii && !utf8.Valid(b) {
		return &idError{what: "an id must be valid UTF-8; save the file as UTF-8"}
	}
	return nil
}

// trim cuts spaces and tabs off both ends.
func trim(b []byte) []byte {
	for len(b) > 0 && (b[0] == ' ' || b[0] == '\t') {
		b = b[1:]
	}
	for len(b) > 0 && (b[len(b)-1] == ' ' || b[len(b)-1] == '\t') {
		b = b[:len(b)-1]
	}
	return b
}

// parseRating reads a finite number. Empty text is NaN: not rated.
func parseRating(b []byte) (float32, bool) {
	switch {
	case len(b) == 0:
		return float32(math.NaN()), true
	case len(b) == 1 && isDigit(b[0]):
		return float32(b[0] - '0'), true
	case len(b) == 3 && isDigit(b[0]) && b[1] == '.' && isDigit(b[2]):
		return float32(int(b[0]-'0')*10+int(b[2]-'0')) / 10, true // as strconv rounds: one division, both exact
	case len(b) > 32:
		return 0, false
	}
	v, err := strconv.ParseFloat(string(b), 32)
	if err != nil || math.IsInf(v, 0) || math.IsNaN(v) {
		return 0, false
	}
	return float32(v), true
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// timeRule says what parseTime takes.
const timeRule = "a time is in seconds or milliseconds since 1970, or a date such as 2010-10-19T23:55:27Z, 2010-10-19 23:55:27, 2010-10-19 or Tue Oct 19 23:55:27 -0700 2010"

// layouts of times that are not numbers, those of the known data sets.
var layouts = []string{
	time.RFC3339,
	"2006-01-02 15:04:05",
	"2006-01-02",
	"Mon Jan 02 15:04:05 -0700 2006",
	"2006-01-02T15:04:05",
	"2006-01-02 15:04:05 MST",
	"2006/01/02",
	"01 2, 2006",
}

// parseTime returns seconds since 1970. Numbers of 10¹¹ and more are taken for milliseconds (in seconds they would be
// the year 5138), from 10¹⁴ on for microseconds. Empty text is 0: not known.
func parseTime(b []byte) (int64, bool) {
	if len(b) == 0 {
		return 0, true
	}
	if t, ok := parseInt(b); ok {
		return seconds(t), true
	}
	if len(b) > 40 {
		return 0, false
	}
	if t, ok := parseISO(b); ok {
		return t, true
	}
	s := string(b)
	for _, layout := range layouts {
		if t, err := time.Parse(layout, s); err == nil {
			return t.Unix(), true
		}
	}
	if v, err := strconv.ParseFloat(s, 64); err == nil && math.Abs(v) < 1e17 {
		return seconds(int64(v)), true
	}
	return 0, false
}

func seconds(t int64) int64 {
	switch {
	case t >= 1e14 || t <= -1e14:
		return t / 1e6
	case t >= 1e11 || t <= -1e11:
		return t / 1e3
	}
	return t
}

// parseInt reads a decimal integer of at most 18 digits.
func parseInt(b []byte) (int64, bool) {
	negative := false
	if len(b) > 1 && b[0] == '-' {
		negative, b = true, b[1:]
	}
	if len(b) == 0 || len(b) > 18 {
		return 0, false
	}
	var v int64
	for _, c := range b {
		if !isDigit(c) {
			return 0, false
		}
		v = v*10 + int64(c-'0')
	}
	if negative {
		v = -v
	}
	return v, true
}

// parseISO reads 2010-10-19T23:55:27Z, the one form of which there are millions of lines, without allocation.
func parseISO(b []byte) (int64, bool) {
	if len(b) != 20 || b[4] != '-' || b[7] != '-' || b[10] != 'T' || b[13] != ':' || b[16] != ':' || b[19] != 'Z' {
		return 0, false
	}
	year, ok1 := parseInt(b[0:4])
	month, ok2 := parseInt(b[5:7])
	day, ok3 := parseInt(b[8:10])
	hour, ok4 := parseInt(b[11:13])
	minute, ok5 := parseInt(b[14:16])
	second, ok6 := parseInt(b[17:19])
	if !(ok1 && ok2 && ok3 && ok4 && ok5 && ok6) || month < 1 || month > 12 || day < 1 || day > 28 || hour < 0 || hour > 23 ||
		minute < 0 || minute > 59 || second < 0 || second > 59 || year < 1 {
		return 0, false // days 29 to 31 are left to time.Parse, which knows the months
	}
	return time.Date(int(year), time.Month(month), int(day), int(hour), int(minute), int(second), 0, time.UTC).Unix(), true
}
