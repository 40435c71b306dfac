package keep

import (
	"strings"
	"time"
)

// Range of the times that are written as dates, in milliseconds since 1970: from 1973, to exclude the small numbers of
// version 1, to the end of 9999, the last year of four digits.
const (
	firstDate = 100_000_000_000
	lastDate  = 253_402_300_799_999
)

// appendDate appends a time between firstDate and lastDate as ISO 8601 in UTC: 2026-11-21T06:13:02.123Z.
func appendDate(b []byte, at uint64) []byte {
	return time.UnixMilli(int64(at)).UTC().AppendFormat(b, "2006-01-02T15:04:05.000Z")
}

// Date returns the day of a time in UTC, such as 2026-11-21, or "" outside of the range of dates.
func Date(at uint64) string {
	if at < firstDate || at > lastDate {
		return ""
	}
	return time.UnixMilli(int64(at)).UTC().Format(time.DateOnly)
}

// parseDate reads a date written by appendDate. The fraction of the second is optional. Otherwise ok is false.
func parseDate(s string) (at uint64, ok bool) {
	t, err := time.Parse("2006-01-02T15:04:05Z", s) // takes fractions of a second too
	ms := t.UnixMilli()
	if err != nil || ms < firstDate || ms > lastDate {
		return 0, false
	}
	// Parse accepts forms that appendDate never writes, such as hours of one digit or microseconds.
	written := string(appendDate(nil, uint64(ms)))
	if s != written && s != strings.Replace(written, ".000", "", 1) {
		return 0, false
	}
	return uint64(ms), true
}
