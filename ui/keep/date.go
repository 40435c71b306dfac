package keep

import (
	"strings"
	"time"
)

// Moments that are written as dates, in milliseconds since 1970: from 1973, so that the small numbers of version 1 are
// none, to the end of 9999, the last year of four digits.
const (
	firstDate = 100_000_000_000
	lastDate  = 253_402_300_799_999
)

// appendDate appends a moment of firstDate to lastDate as ISO 8601 in UTC: 2026-11-21T06:13:02.123Z.
func appendDate(b []byte, at uint64) []byte {
	return time.UnixMilli(int64(at)).UTC().AppendFormat(b, "2006-01-02T15:04:05.000Z")
}

// Date returns the day of a moment in UTC, such as 2026-11-21; "" where it is no date.
func Date(at uint64) string {
	if at < firstDate || at > lastDate {
		return ""
	}
	return time.UnixMilli(int64(at)).UTC().Format(time.DateOnly)
}

// parseDate reads what appendDate writes; the part of a second may be left out. ok is false for anything else.
func parseDate(s string) (at uint64, ok bool) {
	t, err := time.Parse("2006-01-02T15:04:05Z", s) // which takes a fraction of a second too
	ms := t.UnixMilli()
	if err != nil || ms < firstDate || ms > lastDate {
		return 0, false
	}
	// Parse takes what appendDate never writes: hours of one digit, microseconds.
	written := string(appendDate(nil, uint64(ms)))
	if s != written && s != strings.Replace(written, ".000", "", 1) {
		return 0, false
	}
	return uint64(ms), true
}
