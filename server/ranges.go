package server

import (
	"net/http"
	"strconv"
	"strings"
)

// maxRanges is the number of ranges one request may name; a request with more gets the whole file, as RFC 9110
// allows (14.2), for many small parts cost more than the file.
const maxRanges = 16

// rangeOf returns the Range header of a request as net/http is to see it, of a file of so many bytes, by RFC 9110,
// section 14; "" where there is none or it counts for nothing:
//
//   - with any method but GET, the only one that ranges are defined for;
//   - with a unit that is not known, which must be ignored, or given more than once;
//   - with a set that is malformed, or too long (maxRanges), which may be.
//
// What is left is a set of well-formed ranges without those that lie behind the end and without suffixes of 0 bytes,
// or, where there is no other, one that lies behind the end: its answer is 416. net/http by itself answers a unit that
// it does not know and a malformed set with 416, and a suffix of 0 bytes with 206 and nothing.
func rangeOf(r *http.Request, size int) string {
	values := r.Header.Values("Range")
	if len(values) != 1 || r.Method != http.MethodGet {
		return ""
	}
	unit, set, ok := strings.Cut(values[0], "=")
	if !ok || !strings.EqualFold(strings.Trim(unit, " \t"), "bytes") || strings.Count(set, ",") >= 4*maxRanges {
		return ""
	}
	var within []string
	named := 0
	for one := range strings.SplitSeq(set, ",") {
		one = strings.Trim(one, " \t")
		if one == "" {
			continue // a list may have empty elements
		}
		first, last, ok := bounds(one)
		if named++; !ok || named > maxRanges {
			return ""
		}
		switch {
		case first < 0 && last > 0:
			within = append(within, "-"+strconv.Itoa(min(last, size)))
		case first >= 0 && first < size:
			within = append(within, strconv.Itoa(first)+"-"+strconv.Itoa(min(last, size-1)))
		}
	}
	switch {
	case named == 0:
		return ""
	case len(within) == 0:
		return "bytes=" + strconv.Itoa(size) + "-"
	}
	return "bytes=" + strings.Join(within, ",")
}

// far stands for a position that is not given, or so large that it lies behind the end of any file.
const far = MaxSite + 1

// bounds reads first-last, first- or -suffix. first is −1 for a suffix, whose length last is. ok is false for what is
// none of these, and where last lies before first.
func bounds(one string) (first, last int, ok bool) {
	a, b, found := strings.Cut(one, "-")
	first, last = -1, far
	valid := found && (a != "" || b != "")
	if a != "" {
		first = position(a)
		valid = valid && first >= 0
	}
	if b != "" {
		last = position(b)
		valid = valid && last >= 0
	}
	return first, last, valid && last >= first
}

// position returns the number that digits stand for, at most far; −1 for anything but digits.
func position(digits string) int {
	n := int64(0)
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return -1
		}
		n = min(10*n+int64(c-'0'), far)
	}
	return int(n)
}
