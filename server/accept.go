package server

import (
	"strconv"
	"strings"
)

// The content codings of a site folder. The empty string is the uncompressed file.
const (
	identity = ""
	brotli   = "br"
	gzip     = "gzip"
)

// choose picks one of the available codings for the Accept-Encoding fields of a request (RFC 9110, section 12.5.3): the
// one with the highest q, and among equals the first. It returns its index, or −1 if the request refuses all.
// The uncompressed file stays acceptable unless it is refused by name or by "*;q=0", but comes last if it was not asked
// for. Without any field it returns the uncompressed file, which every client understands. O(length of the fields ·
// available).
func choose(fields []string, available []string) int {
	best, bestQ := -1, 0
	asked := parseAccept(fields)
	for i, coding := range available {
		if q := asked.quality(coding); q > bestQ {
			best, bestQ = i, q
		}
	}
	return best
}

// accept is a parsed Accept-Encoding, with q in thousandths.
type accept struct {
	named map[string]int
	other int // q of "*", or −1
}

func parseAccept(fields []string) accept {
	a := accept{named: map[string]int{}, other: -1}
	for _, field := range fields {
		for item := range strings.SplitSeq(field, ",") {
			name, parameters, _ := strings.Cut(item, ";")
			name = strings.ToLower(strings.TrimSpace(name))
			q, ok := parseQuality(parameters)
			if name == "" || !ok {
				continue // invalid items are ignored
			}
			switch name { // others are not needed
			case "*":
				a.other = q
			case "gzip", "x-gzip": // RFC 9110, section 8.4.1.3: its old name
				a.named[gzip] = q
			case "br":
				a.named[brotli] = q
			case "identity":
				a.named[identity] = q
			}
		}
	}
	return a
}

// quality returns the q of a coding in thousandths; 0 means refused.
func (a accept) quality(coding string) int {
	if q, ok := a.named[coding]; ok {
		return q
	}
	if a.other >= 0 {
		return a.other
	}
	if coding == identity {
		return 1 // acceptable, but after anything requested
	}
	return 0
}

// parseQuality reads "q=0.8" in parameters. The default is 1.
func parseQuality(parameters string) (thousandths int, ok bool) {
	for p := range strings.SplitSeq(parameters, ";") {
		name, value, found := strings.Cut(p, "=")
		if !found || !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		if err != nil || !(q >= 0 && q <= 1) {
			return 0, false
		}
		return int(q*1000 + 0.5), true
	}
	return 1000, true
}
