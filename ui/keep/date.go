package keep

import "strconv"

// Moments that are written as dates: from 1973, so that the small numbers of version 1 are none, to the end of 9999,
// the last year of four digits.
const (
	firstDate = 100_000_000_000
	lastDate  = 253_402_300_799_999
)

// appendDate appends a moment in milliseconds since 1970, of firstDate to lastDate, as ISO 8601 in UTC:
// 2026-11-21T06:13:02.123Z.
func appendDate(b []byte, at uint64) []byte {
	days, ms := int(at/86_400_000), int(at%86_400_000)
	// Howard Hinnant, chrono-Compatible Low-Level Date Algorithms, civil_from_days: years begin in March.
	z := days + 719_468
	era, day := z/146_097, z%146_097
	y := (day - day/1460 + day/36_524 - day/146_096) / 365
	day -= 365*y + y/4 - y/100
	m := (5*day + 2) / 153
	day -= (153*m+2)/5 - 1
	y += era * 400
	if m += 3; m > 12 {
		m -= 12
		y++
	}
	for i, v := range [...]int{y, m, day, ms / 3_600_000, ms / 60_000 % 60, ms / 1000 % 60, ms % 1000} {
		b = append(digits(b, v, int("4222223"[i]-'0')), "--T::.Z"[i])
	}
	return b
}

// Date returns the day of a moment in UTC, such as 2026-11-21; "" where it is no date.
func Date(at uint64) string {
	if at < firstDate || at > lastDate {
		return ""
	}
	return string(appendDate(nil, at)[:len("2026-11-21")])
}

func digits(b []byte, v, n int) []byte {
	for i := n; i > 0; i-- {
		b = append(b, '0')
	}
	for i := len(b) - 1; v > 0; i-- {
		b[i] = byte('0' + v%10)
		v /= 10
	}
	return b
}

// parseDate reads what appendDate writes; the part of a second may be left out. ok is false for anything else.
func parseDate(s string) (at uint64, ok bool) {
	if len(s) == len("2026-11-21T06:13:02Z") {
		s = s[:len(s)-1] + ".000" + s[len(s)-1:]
	}
	if len(s) != len("2026-11-21T06:13:02.123Z") {
		return 0, false
	}
	at2 := func(i, n int) int {
		v, err := strconv.ParseUint(s[i:i+n], 10, 32)
		if err != nil {
			return -1
		}
		return int(v)
	}
	y, m, d := at2(0, 4), at2(5, 2), at2(8, 2)
	if y < 1970 || m < 1 || m > 12 || d < 1 || d > 31 {
		return 0, false
	}
	// days_from_civil, of the same source.
	if m < 3 {
		y, m = y-1, m+12
	}
	days := 365*y + y/4 - y/100 + y/400 + (153*(m-3)+2)/5 + d - 1 - 719_468
	at = uint64(days)*86_400_000 + uint64(at2(11, 2)*3_600_000+at2(14, 2)*60_000+at2(17, 2)*1000+at2(20, 3))
	if at < firstDate || at > lastDate {
		return 0, false
	}
	return at, string(appendDate(nil, at)) == s // so that there is no thirtieth of February
}
