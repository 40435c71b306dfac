//go:build !js

package server

import (
	"net/http"
	"strconv"
	"strings"
)

// maxRanges is the maximum number of ranges in a request. Requests with more get the whole file, as RFC 9110 allows
// (14.2), because many small parts cost more than the file.
const maxRanges = 16

// rangeOf returns the Range header to pass to net/http for a file of the given size, by RFC 9110, section 14. It
// returns "" without one, or if it must or may be ignored:
//
//   - for methods other than GET, the only one with ranges;
//   - for unknown units, and if the header is repeated;
//   - for a malformed or too long set (maxRanges).
//
// Otherwise it returns the well-formed ranges, without those beyond the end and without suffixes of 0 bytes; or, if
// none is left, one beyond the end, which is answered with 416. net/http by itself answers unknown units and malformed
// sets with 416, and a suffix of 0 bytes with an empty 206.
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
			continue // lists may have empty elements
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

// far stands for any position beyond the end of any file.
const far = MaxSite + 1

// bounds parses first-last, first- or -suffix. first is −1 for a suffix, whose length is last. ok is false for anything
// else, and if last is less than first.
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

// position parses digits, capped at far; −1 for anything else.
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
