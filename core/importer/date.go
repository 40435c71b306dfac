package importer

import (
	"math"
	"strings"
	"time"
)

// months are the first letters of the English names.
const months = "janfebmaraprmayjunjulaugsepoctnovdec"

// moment parses a date, with or without a time, as seconds since 1970 in UTC: "2019-05-01T20:15:00Z", "2019/05/01",
// "01.05.2019", "5/1/19", "1 May 2019, 20:15", "20190501", a workbook's days, or the seconds or milliseconds
// themselves. Time zones are ignored. dayFirst says how "5/1/19" is meant; a month above 12 overrides it. It is 0 for
// other texts and for years outside of 1970 to 2105.
func moment(s string, dayFirst bool) uint32 {
	s = strings.ToLower(strings.TrimSpace(s))
	if n, rest, ok := number(s); ok && rest == "" && s[0] >= '0' && s[0] <= '9' {
		switch len(s) {
		case 5:
			return inRange((n - 25569) * 86400)
		case 8:
			return date(n/10000, n/100%100, n%100)
		case 9, 10:
			return inRange(n)
		case 12, 13:
			return inRange(n / 1000)
		}
		return 0
	}
	month := 0
	for i := 0; i+3 <= len(s) && month == 0; i++ {
		if at := strings.Index(months, s[i:i+3]); at >= 0 && at%3 == 0 {
			month = at/3 + 1
		}
	}
	var n [6]int // year, month, day, hour, minute, second
	rest, found := s, 0
	for ok := true; found < len(n); found++ {
		if n[found], rest, ok = number(rest); !ok {
			break
		}
	}
	switch {
	case found >= 3 && n[0] > 31:
	case month > 0 && found >= 2: // the day precedes the year
		n = [6]int{n[1], month, n[0], n[2], n[3]}
	case found >= 3:
		if dayFirst && n[1] <= 12 || n[0] > 12 {
			n[0], n[1] = n[1], n[0]
		}
		n[0], n[1], n[2] = n[2], n[0], n[1]
	default:
		return 0
	}
	if n[0] < 100 {
		n[0] += 2000
	}
	if n[3] > 23 || n[4] > 59 || n[5] > 60 {
		n[3], n[4], n[5] = 0, 0, 0
	}
	if day := date(n[0], n[1], n[2]); day > 0 {
		return day + uint32(n[3]*3600+n[4]*60+n[5])
	}
	return 0
}

// date returns the seconds since 1970 of a day, or 0 if there is no such day.
func date(year, month, day int) uint32 {
	t := time.Date(min(year, 9999), time.Month(month), day, 0, 0, 0, 0, time.UTC)
	if month < 1 || month > 12 || day < 1 || t.Day() != day {
		return 0
	}
	return inRange(int(t.Unix()))
}

func inRange(seconds int) uint32 {
	if seconds <= 0 || seconds > math.MaxUint32-86400 {
		return 0
	}
	return uint32(seconds)
}

// isMoment reports whether a text is a date.
func isMoment(s string) bool { return moment(s, false) > 0 || moment(s, true) > 0 }

// dayFirst reports whether a column writes the day before the month: if dots part them, or if the first number of some
// date is too large for a month.
func dayFirst(values []string) bool {
	for _, s := range values {
		if first, rest, ok := number(s); ok && rest != "" && first <= 31 && (rest[0] == '.' || first > 12) {
			return true
		}
	}
	return false
}
