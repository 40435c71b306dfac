package share

import (
	"fmt"
	"hash/fnv"
	"net/url"
	"strings"
)

// Escape writes s for a fragment: every byte but letters, digits and -._~ becomes % and two hexadecimal digits.
// url.PathUnescape reads it, and so does JavaScript's decodeURIComponent. O(len(s)).
func Escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// check returns eight hexadecimal digits that tell whether s is whole: FNV-1a of 32 bits over its bytes. A single
// changed byte always changes it; other damage goes unnoticed once in 2³² times.
func check(s string) string {
	h := fnv.New32a()
	h.Write([]byte(s))
	return fmt.Sprintf("%08x", h.Sum32())
}
