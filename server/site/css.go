package site

import (
	"bytes"
	"regexp"
)

// A style sheet names other files in url(…), with or without quotes, and in @import "…".
var (
	cssComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	cssAddress = regexp.MustCompile(`\burl\(\s*(?:"([^"\n]*)"|'([^'\n]*)'|([^"'()\s]+))\s*\)|@import\s+(?:"([^"\n]*)"|'([^'\n]*)')`)
)

func scanCSS(content []byte) ([]reference, error) {
	// Comments become blanks of the same length, so that offsets hold.
	bare := cssComment.ReplaceAllFunc(content, func(c []byte) []byte { return bytes.Repeat([]byte(" "), len(c)) })
	var refs []reference
	for _, m := range cssAddress.FindAllSubmatchIndex(bare, -1) {
		for group := 1; group <= 5; group++ {
			if m[2*group] >= 0 {
				refs = append(refs, found(content, m, group))
			}
		}
	}
	return refs, nil
}
