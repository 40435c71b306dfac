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

// layouts of times other than numbers.
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

// dayOrder is the order of day and month in a column of dates.
type dayOrder uint8

const (
	dayUnknown dayOrder = iota // 03/04/2021 is not read
	dayFirst                   // 31/12/2021, and 31.12.2021 always
	monthFirst                 // 12/31/2021
	dayCompact                 // 20211231
	dayExcel                   // 44561.75: days since 1899-12-30
)

// dayOrderOf finds the order from the values of a column: one number above 12 is enough. It is unknown if both orders
// or neither occur.
func dayOrderOf(values []string) dayOrder {
	first, second, compact, excel, filled := false, false, 0, 0, 0
	for _, v := range values {
		if isNull([]byte(v)) {
			continue
		}
		filled++
		if _, ok := compactDay([]byte(v)); ok {
			compact++
		}
		if _, ok := excelTime([]byte(v)); ok {
			excel++
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
	case filled > 0 && excel == filled:
		return dayExcel
	case first && !second:
		return dayFirst
	case second && !first:
		return monthFirst
	}
	return dayUnknown
}

// parseTime returns seconds since 1970. Numbers from 10¹¹ on are milliseconds (as seconds they would be in the year
// 5138), from 10¹⁴ on microseconds, from 10¹⁷ on nanoseconds; see seconds for further kinds. An empty text and a date
// of zeros return 0: unknown.
func parseTime(b []byte, order dayOrder) (int64, bool) {
	if isNull(b) {
		return 0, true
	}
	if order == dayCompact {
		if t, ok := compactDay(b); ok {
			return t, true
		}
	}
	if order == dayExcel {
		if t, ok := excelTime(b); ok {
			return t, true
		}
	}
	if t, ok := parseInt(b); ok {
		if len(b) == 14 || len(b) == 12 {
			if day, ok := parseDigits(b); ok {
				return day, true
			}
		}
		return seconds(t), true
	}
	if len(b) > 80 {
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
	if !mayBeTime(b) {
		return 0, false
	}
	s := unwrapped(string(b))
	if t, ok := parseInt([]byte(s)); ok && len(s) < len(b) {
		return seconds(t), true
	}
	for _, layout := range layouts {
		if strings.Contains(layout, ":") && !strings.Contains(s, ":") {
			continue // nearly all texts of the first rows, which are tried too
		}
		if t, err := time.Parse(layout, s); err == nil {
			if t.Year() <= 1 {
				return 0, true // what .NET and Go write for no time
			}
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

// seconds converts a number to seconds since 1970, judging by its size. From 1970 to 2100 it also recognises .NET's
// ticks (100 ns since the year 1), Windows file times (100 ns since 1601) and WebKit's microseconds since 1601: as
// nano- or microseconds since 1970 these would lie in 1973, 1974, 1989, 1990, or after 2337.
func seconds(t int64) int64 {
	const (
		tick      = 10_000_000
		dotNet    = 62_135_596_800 // seconds from the year 1 to 1970
		windows   = 11_644_473_600 // from 1601 to 1970
		until2100 = 4_102_444_800
	)
	switch {
	case dotNet*tick <= t && t < (dotNet+until2100)*tick:
		return t/tick - dotNet
	case windows*tick <= t && t < (windows+until2100)*tick:
		return t/tick - windows
	case windows*1e6 <= t && t < (windows+until2100)*1e6:
		return t/1e6 - windows
	case t >= 1e17 || t <= -1e17:
		return t / 1e9
	case t >= 1e14 || t <= -1e14:
		return t / 1e6
	case t >= 1e11 || t <= -1e11:
		return t / 1e3
	}
	return t
}

// parseISO reads 2010-10-19T23:55:27Z, the form in the largest files, without allocation.
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
		minute < 0 || minute > 59 || second < 0 || second > 59 || year <= 1 {
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
	return timeOf(int(v/10000), int(v/100%100), int(v%100), 0, 0, 0)
}

// Dates as people write them, optionally with a time. The groups of clock are half of the day, hour, minute, second,
// half of the day, zone.
const clock = `(?:(?:,?[ T]+(?:um |at |à )?|:)` +
	`(?:(上午|下午|午前|午後|오전|오후) ?)?` +
	`(\d{1,2})(?:[:.h时時]|시 ?)(\d{2})[분分]?(?:[:. ]?(\d{2})[秒초]?(?:[.,]\d{1,9})?)?` +
	`(?: ?([AaPp])\.?[Mm]\.?| Uhr)?` +
	`(?: ?(Z|UTC|GMT|[+-]\d{2}(?::?\d{2})?)(?: UTC)?)?)?$`

var (
	numericDate = regexp.MustCompile(`^(\d{1,2})([./-]) ?(\d{1,2})[./-] ?(\d{4}|\d{2})` + clock)
	dayMonth    = regexp.MustCompile(`^(?:\pL{2,12}\.?,? )?(\d{1,2})(?:st|nd|rd|th|er)?\.?[ -](?:de |of )?` +
		`(\pL{3,12})\.?,?[ -](?:de )?(\d{4}|\d{2})` + clock)
	monthDay = regexp.MustCompile(`^(?:\pL{2,12}\.?,? )?(\pL{3,12})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})` + clock)
	yearDate = regexp.MustCompile(`^(\d{4})(?:[-/.]| ?[年년]|\.) ?(\d{1,2})(?:[-/.]| ?[月월]|\.) ?(\d{1,2})` +
		`(?:\.| ?[日일])?(?: ?\(\pL{1,9}\))?` + clock)
	basicISO = regexp.MustCompile(`^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(?:[.,]\d{1,9})?` +
		`(Z|[+-]\d{2}(?::?\d{2})?)?$`)
)

var (
	wrapping = regexp.MustCompile(`^(?:(?:ISODate|new Date|Date|/Date|Timestamp|datetime)` +
		`\(['"]?(.*?)(?:[+-]\d{4})?['"]?\)/?|["'\[](.*)["'\]]|@(\d+)|(\d{9,})(?:s|ms|L))$`)
	behindTime = regexp.MustCompile(`(?: \([^()]*\)|\[[A-Za-z_]+(?:/[A-Za-z_/-]+)?\]| г\.?|` +
		` [A-Z][a-z]+/[A-Z][A-Za-z_]+)$`)
	zoneOfGMT = regexp.MustCompile(`(?:GMT|UTC)([+-]\d{2}:?\d{2})$`)
)

// mayBeTime reports whether a text has enough digits for a time, which most titles have not.
func mayBeTime(b []byte) bool {
	digits, letters := 0, 0
	for _, c := range b {
		switch {
		case isDigit(c):
			digits++
		case c > '9':
			letters++
		}
	}
	return digits >= 5 || digits >= 3 && letters <= 3
}

// unwrapped removes text that programs put around a time: quotes, ISODate(…), /Date(…)/, the name of a zone.
func unwrapped(s string) string {
	if m := wrapping.FindStringSubmatch(s); m != nil {
		s = m[1] + m[2] + m[3] + m[4]
	}
	s = behindTime.ReplaceAllString(s, "")
	s = zoneOfGMT.ReplaceAllString(s, "$1")
	return strings.Join(strings.Fields(s), " ")
}

// parseDigits reads 20211231183000 and 202112311830.
func parseDigits(b []byte) (int64, bool) {
	if b[0] != '1' && b[0] != '2' || string(b[:4]) < "1970" || string(b[:4]) > "2099" {
		return 0, false
	}
	at := func(i int) int { v, _ := strconv.Atoi(string(b[i : i+2])); return v }
	second := 0
	if len(b) == 14 {
		second = at(12)
	}
	year, _ := strconv.Atoi(string(b[:4]))
	return timeOf(year, at(4), at(6), at(8), at(10), second)
}

// excelTime reads days as Excel counts them, from 1970 to 2099, with the time as a fraction.
func excelTime(b []byte) (int64, bool) {
	if len(b) < 5 || !isDigit(b[4]) || len(b) > 5 && b[5] != '.' && b[5] != ',' {
		return 0, false
	}
	days, err := strconv.ParseFloat(strings.Replace(string(b), ",", ".", 1), 64)
	if err != nil || days < 25_569 || days >= 73_051 {
		return 0, false
	}
	return excelDay(days), true
}

// looksLikeDate reports whether b is a date in numbers, in any order.
func looksLikeDate(b []byte) bool { return len(b) <= 40 && numericDate.Match(b) }

// parseWritten reads 31.12.2021, 12/31/2021 (by the order), 31 Dec 2021 and December 31, 2021, times in UTC.
func parseWritten(s string, order dayOrder) (int64, bool) {
	if m := numericDate.FindStringSubmatch(s); m != nil {
		a, _ := strconv.Atoi(m[1])
		b, _ := strconv.Atoi(m[3])
		year, _ := strconv.Atoi(m[4])
		if len(m[4]) == 2 {
			year = inCentury(year)
		}
		switch {
		case m[2] == "." || order == dayFirst || order != monthFirst && a > 12:
			a, b = b, a
		case order != monthFirst && b <= 12:
			return 0, false
		}
		return dayTime(year, a, b, m[5:])
	}
	if m := dayMonth.FindStringSubmatch(s); m != nil {
		day, _ := strconv.Atoi(m[1])
		year, _ := strconv.Atoi(m[3])
		if len(m[3]) == 2 {
			if strings.Count(s, "-") < 2 {
				return 0, false
			}
			year = inCentury(year)
		}
		return dayTime(year, monthOf(m[2]), day, m[4:])
	}
	if m := monthDay.FindStringSubmatch(s); m != nil {
		day, _ := strconv.Atoi(m[2])
		year, _ := strconv.Atoi(m[3])
		return dayTime(year, monthOf(m[1]), day, m[4:])
	}
	if m := yearDate.FindStringSubmatch(s); m != nil {
		year, _ := strconv.Atoi(m[1])
		month, _ := strconv.Atoi(m[2])
		day, _ := strconv.Atoi(m[3])
		if year == 0 && month == 0 && day == 0 {
			return 0, true // what MySQL writes for no time
		}
		return dayTime(year, month, day, m[4:])
	}
	if m := basicISO.FindStringSubmatch(s); m != nil {
		year, _ := strconv.Atoi(m[1])
		month, _ := strconv.Atoi(m[2])
		day, _ := strconv.Atoi(m[3])
		return dayTime(year, month, day, []string{"", m[4], m[5], m[6], "", m[7]})
	}
	return 0, false
}

// inCentury returns the year that two digits stand for, from 1970 to 2069.
func inCentury(year int) int {
	if year += 2000; year >= 2070 {
		year -= 100
	}
	return year
}

// dayTime returns the seconds since 1970 of a day and the groups of clock.
func dayTime(year, month, day int, clock []string) (int64, bool) {
	var at [3]int
	for i, text := range clock[1:4] {
		at[i], _ = strconv.Atoi(text)
	}
	if half := clock[0] + clock[4]; half != "" {
		if at[0] < 1 || at[0] > 12 && clock[0] == "" {
			return 0, false
		}
		at[0] %= 12
		switch half {
		case "p", "P", "下午", "午後", "오후":
			at[0] += 12
		}
	}
	t, ok := timeOf(year, month, day, at[0], at[1], min(at[2], 59)) // 60 is a leap second
	return t - zoneSeconds(clock[5]), ok && at[2] <= 60
}

// timeOf returns the seconds since 1970 of a date and time, and whether both exist.
func timeOf(year, month, day, hour, minute, second int) (int64, bool) {
	t := time.Date(year, time.Month(month), day, hour, minute, second, 0, time.UTC)
	if month < 1 || month > 12 || t.Day() != day || hour > 23 || minute > 59 || second > 59 {
		return 0, false
	}
	return t.Unix(), true
}

// zoneSeconds reads +01, +0100 and +01:00; the names of UTC are 0.
func zoneSeconds(zone string) int64 {
	if len(zone) < 3 || zone[0] != '+' && zone[0] != '-' {
		return 0
	}
	digits := strings.ReplaceAll(zone[1:], ":", "") + "00"
	hours, _ := strconv.Atoi(digits[:2])
	minutes, _ := strconv.Atoi(digits[2:4])
	offset := int64(hours*3600 + minutes*60)
	if zone[0] == '-' {
		return -offset
	}
	return offset
}

// monthBegins holds the first letters of the months' names, in English, German, French, Spanish, Italian, Portuguese,
// Dutch, Polish, Turkish and Russian.
var monthBegins = [12]string{
	"jan gen ene sty oca янв", "feb fev lut sub фев", "mar mrz mae mrt maa мар", "apr avr abr kwi nis апр",
	"may mai mag mei maj май мая", "jun juin giu cze haz июн", "jul juil lug lip tem июл", "aug aou ago sie авг",
	"sep set wrz eyl сен", "oct okt ott out paz eki окт", "nov lis kas ноя", "dec dez dic gru ara дек",
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
