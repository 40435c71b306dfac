package dataset

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// timeRule describes what parseTime accepts.
const timeRule = "a time is in seconds or milliseconds since 1970, or a date such as 2010-10-19T23:55:27Z, " +
	"2010-10-19, 19.10.2010, 19 Oct 2010 or Tue Oct 19 23:55:27 -0700 2010; 03/04/2010 is read only where " +
	"one of the first lines has a day above 12, which shows the order of day and month"

// layouts of times that are not numbers, those of the known data sets.
var layouts = []string{
	time.RFC3339,
	"2006-01-02 15:04:05",
	"2006-01-02",
	"Mon Jan 02 15:04:05 -0700 2006",
	"2006-01-02T15:04:05",
	"2006-01-02 15:04",
	"2006-01-02T15:04",
	"2006-01-02 15:04:05-07:00",
	"2006-01-02 15:04:05 -0700",
	"2006/01/02 15:04:05",
	"2006/01/02 15:04",
	"2006-01-02 15:04:05 MST",
	"2006/01/02",
	"01 2, 2006",
	"2006-01-02 15:04:05-07",    // PostgreSQL's timestamptz
	"2006-01-02T15:04:05-07",    //
	"2006-01-02T15:04:05-0700",  //
	"2006-01-02 15:04:05Z07:00", //
	time.RFC1123, time.RFC1123Z, time.RFC850, time.ANSIC,
	"02/Jan/2006:15:04:05 -0700", // logs of web servers
	"2006年1月2日", "2006年1月2日 15:04:05", "2006年1月2日 15:04", "2006年1月2日15时4分5秒",
}

// dayOrder is how a column writes its days.
type dayOrder uint8

const (
	dayUnknown dayOrder = iota // 03/04/2021 is not read
	dayFirst                   // 31/12/2021, and 31.12.2021 always
	monthFirst                 // 12/31/2021
	dayCompact                 // 20211231
)

// dayOrderOf finds the order by the values of a column: one number above 12 is enough. Where there are both orders, or
// none says, it is not known.
func dayOrderOf(values []string) dayOrder {
	first, second, compact, filled := false, false, 0, 0
	for _, v := range values {
		if isNull([]byte(v)) {
			continue
		}
		filled++
		if _, ok := compactDay([]byte(v)); ok {
			compact++
		}
		if m := numericDate.FindStringSubmatch(v); m != nil && m[2] != "." {
			a, _ := strconv.Atoi(m[1])
			b, _ := strconv.Atoi(m[3])
			first, second = first || a > 12, second || b > 12
		}
	}
	switch {
	case filled > 0 && compact == filled:
		return dayCompact
	case first && !second:
		return dayFirst
	case second && !first:
		return monthFirst
	}
	return dayUnknown
}

// parseTime returns seconds since 1970. Numbers of 10¹¹ and more are taken for milliseconds (in seconds they would be
// the year 5138), from 10¹⁴ on for
// microseconds, from 10¹⁷ on for nanoseconds. An empty text is 0: unknown.
func parseTime(b []byte, order dayOrder) (int64, bool) {
	if isNull(b) {
		return 0, true
	}
	if order == dayCompact {
		if t, ok := compactDay(b); ok {
			return t, true
		}
	}
	if t, ok := parseInt(b); ok {
		return seconds(t), true
	}
	if len(b) > 40 {
		return 0, false
	}
	if len(b) == 19 && isDigit(b[0]) && isDigit(b[4]) { // nanoseconds: parseInt reads 18 digits
		if t, err := strconv.ParseInt(string(b), 10, 64); err == nil {
			return seconds(t), true
		}
	}
	if t, ok := parseISO(b); ok {
		return t, true
	}
	s := string(b)
	for _, layout := range layouts {
		if strings.Contains(layout, ":") && !strings.Contains(s, ":") {
			continue // nearly all texts of the first rows, which are tried too
		}
		if t, err := time.Parse(layout, s); err == nil {
			return t.Unix(), true
		}
	}
	if t, ok := parseWritten(s, order); ok {
		return t, true
	}
	if v, err := strconv.ParseFloat(s, 64); err == nil && math.Abs(v) < 1e17 {
		return seconds(int64(v)), true
	}
	return 0, false
}

func seconds(t int64) int64 {
	switch {
	case t >= 1e17 || t <= -1e17:
		return t / 1e9
	case t >= 1e14 || t <= -1e14:
		return t / 1e6
	case t >= 1e11 || t <= -1e11:
		return t / 1e3
	}
	return t
}

// parseISO reads 2010-10-19T23:55:27Z, the form of the largest files, without allocation.
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
	if !(ok1 && ok2 && ok3 && ok4 && ok5 && ok6) || month < 1 || month > 12 || day < 1 || day > 28 || hour < 0 ||
		hour > 23 ||
		minute < 0 || minute > 59 || second < 0 || second > 59 || year < 1 {
		return 0, false // days 29 to 31 are left to time.Parse, which knows the months
	}
	return time.Date(int(year), time.Month(month), int(day), int(hour), int(minute), int(second), 0, time.UTC).Unix(),
		true
}

// compactDay reads 20211231, a day from 1900 to 2099.
func compactDay(b []byte) (int64, bool) {
	v, ok := parseInt(b)
	if !ok || len(b) != 8 || v < 1900_01_01 || v > 2099_12_31 {
		return 0, false
	}
	return dayTime(int(v/10000), int(v/100%100), int(v%100), [3]string{}, "")
}

// Dates as people write them, with or without a time behind.
const clock = `(?:,?[ T]+(?:um |at |à )?` +
	`(\d{1,2})[:.h](\d{2})(?::(\d{2})(?:\.\d{1,9})?)?` +
	`(?: ?([AaPp])\.?[Mm]\.?| Uhr)?)?$`

var (
	numericDate = regexp.MustCompile(`^(\d{1,2})([./-])(\d{1,2})[./-](\d{4}|\d{2})` + clock)
	dayMonth    = regexp.MustCompile(`^(?:\pL{2,12}\.?,? )?(\d{1,2})(?:st|nd|rd|th|er)?\.?[ -](?:de |of )?` +
		`(\pL{3,12})\.?,?[ -](?:de )?(\d{4})` + clock)
	monthDay = regexp.MustCompile(`^(?:\pL{2,12}\.?, )?(\pL{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})` + clock)
)

// looksLikeDate reports whether b is a date in numbers, of whatever order.
func looksLikeDate(b []byte) bool { return len(b) <= 40 && numericDate.Match(b) }

// parseWritten reads 31.12.2021, 12/31/2021 (by the order), 31 Dec 2021 and December 31, 2021, times in UTC.
func parseWritten(s string, order dayOrder) (int64, bool) {
	if m := numericDate.FindStringSubmatch(s); m != nil {
		a, _ := strconv.Atoi(m[1])
		b, _ := strconv.Atoi(m[3])
		year, _ := strconv.Atoi(m[4])
		if len(m[4]) == 2 {
			if year += 2000; year >= 2070 {
				year -= 100
			}
		}
		switch {
		case m[2] == "." || order == dayFirst || order != monthFirst && a > 12:
			a, b = b, a
		case order != monthFirst && b <= 12:
			return 0, false
		}
		return dayTime(year, a, b, [3]string(m[5:8]), m[8])
	}
	if m := dayMonth.FindStringSubmatch(s); m != nil {
		day, _ := strconv.Atoi(m[1])
		year, _ := strconv.Atoi(m[3])
		return dayTime(year, monthOf(m[2]), day, [3]string(m[4:7]), m[7])
	}
	if m := monthDay.FindStringSubmatch(s); m != nil {
		day, _ := strconv.Atoi(m[2])
		year, _ := strconv.Atoi(m[3])
		return dayTime(year, monthOf(m[1]), day, [3]string(m[4:7]), m[7])
	}
	return 0, false
}

// dayTime returns the seconds since 1970 of a day and a time of it, where both are on the calendar and the clock. half
// is the first letter of AM or PM, or "".
func dayTime(year, month, day int, clock [3]string, half string) (int64, bool) {
	var at [3]int
	for i, text := range clock {
		at[i], _ = strconv.Atoi(text)
	}
	if half != "" {
		if at[0] < 1 || at[0] > 12 {
			return 0, false
		}
		at[0] %= 12
		if half == "p" || half == "P" {
			at[0] += 12
		}
	}
	t := time.Date(year, time.Month(month), day, at[0], at[1], at[2], 0, time.UTC)
	if month < 1 || month > 12 || t.Day() != day || at[0] > 23 || at[1] > 59 || at[2] > 59 {
		return 0, false
	}
	return t.Unix(), true
}

// monthBegins holds the first letters of the months' names, in English, German, French, Spanish, Italian, Portuguese
// and Dutch.
var monthBegins = [12]string{
	"jan gen ene", "feb fev", "mar mrz mae mrt maa", "apr avr abr", "may mai mag mei maj", "jun juin giu",
	"jul juil lug", "aug aou ago", "sep set", "oct okt ott out", "nov", "dec dez dic",
}

// monthOf returns 1 to 12, or 0.
func monthOf(name string) int {
	name = fold(name)
	for m, begins := range monthBegins {
		for _, b := range strings.Fields(begins) {
			if strings.HasPrefix(name, b) {
				return m + 1
			}
		}
	}
	return 0
}

// excelDay returns the seconds since 1970 of a day as Excel counts them, with its time as a fraction.
func excelDay(days float64) int64 { return int64(math.Round((days - 25_569) * 86_400)) }
