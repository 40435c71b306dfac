package share

import (
	"fmt"
	"hash/fnv"
	"net/url"
	"strings"
)

// Escape escapes s for a fragment: every byte except letters, digits and -._~ becomes % and two hexadecimal digits.
// url.PathUnescape reads it, and so does JavaScript's decodeURIComponent. O(len(s)).
func Escape(s string) string { return strings.ReplaceAll(url.QueryEscape(s), "+", "%20") }

// check returns the checksum of s, eight hexadecimal digits: 32-bit FNV-1a over its bytes. It changes with any single
// byte; other damage goes unnoticed once in 2³² times.
func check(s string) string {
	h := fnv.New32a()
	h.Write([]byte(s))
	return fmt.Sprintf("%08x", h.Sum32())
}
