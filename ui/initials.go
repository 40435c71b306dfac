package ui

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// small words do not stand for a title.
var small = map[string]bool{"the": true, "a": true, "an": true, "of": true, "and": true, "in": true, "on": true,
	"to": true, "for": true, "with": true, "at": true, "from": true, "de": true, "la": true, "le": true, "der": true,
	"die": true, "das": true,
}

// initials returns the one to three letters that stand for a title: those of its first three words that are not small,
// up to a colon or a bracket. "The Silence of the Lambs" gives "SL", "Heat" gives "H".
func initials(title string) string {
	if i := strings.IndexAny(title, ":("); i > 0 {
		title = title[:i]
	}
	var all, main []rune
	for _, word := range strings.FieldsFunc(title, func(r rune) bool {
		return unicode.IsSpace(r) || r == '-' ||
			r == '/' || r == ','
	}) {
		word = strings.TrimLeftFunc(word, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
		r, _ := utf8.DecodeRuneInString(word)
		if r == utf8.RuneError {
			continue
		}
		all = append(all, unicode.ToUpper(r))
		if !small[strings.ToLower(word)] {
			main = append(main, unicode.ToUpper(r))
		}
	}
	if len(main) == 0 {
		main = all
	}
	if len(main) == 0 {
		return "…"
	}
	return string(main[:min(len(main), 3)])
}
