// Package brief shortens texts from outside that errors and logs repeat. A file, a request or a command line can hold a
// name of any length, and repeating it in full would flood an answer, a terminal or a log.
//
// It is below every package that reports errors, and imports only the standard library.
package brief

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Max is the number of bytes that Text keeps.
const Max = 100

// Text returns s, or its first Max bytes and an ellipsis if it is longer. It cuts between two characters. O(1).
func Text(s string) string { return Cut(s, Max) }

// shown is the number of names that List repeats.
const shown = 20

// List joins names by commas, each shortened by Text, and counts those beyond the first 20. O(len(names)).
func List(names []string) string {
	var b strings.Builder
	for i, name := range names[:min(len(names), shown)] {
		if i > 0 {
			b.WriteString(", ")
		}
		b.WriteString(Text(name))
	}
	if more := len(names) - shown; more > 0 {
		b.WriteString(fmt.Sprintf(" and %d more", more))
	}
	return b.String()
}

// maxMessage is the length to which Message shortens, in bytes.
const maxMessage = 2000

// Message shortens the text of an error, which may repeat more than its author expected. It keeps the beginning, which
// says what is wrong, and the end, which says what to do.
func Message(text string) string {
	if len(text) <= maxMessage {
		return text
	}
	const end = maxMessage / 4
	from := len(text) - end
	for from < len(text) && !utf8.RuneStart(text[from]) {
		from++
	}
	return Cut(text, maxMessage-end) + " " + text[from:]
}

// Cut is Text for another length of 0 or more bytes, without the ellipsis.
func Cut(s string, most int) string {
	if len(s) <= most {
		return s
	}
	end := most
	for end > most-utf8.UTFMax && end > 0 && !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}
