// Package brief shortens the texts of others that errors and logs repeat. A file, a request or a command line can hold
// a name of any length; what repeats it as it came hands its length on to an answer, a terminal or a log.
//
// Where it stands in the flow: below everything that reports a mistake. It imports nothing but the standard library.
package brief

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// Max is how much of a text is repeated, in bytes.
const Max = 100

// Text returns s, or the beginning of one that is longer than Max bytes and an ellipsis. It cuts between two
// characters. O(1).
func Text(s string) string { return Cut(s, Max) }

// shown is how many names List repeats.
const shown = 20

// List joins names by commas, each as Text returns it, and says how many there are beyond the first 20. O(len(names)).
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

// maxMessage is how long an error may be, in bytes.
const maxMessage = 2000

// Message returns the text of an error, which may repeat more than its author thought of: of a long one only the
// beginning, which says what is wrong, and the end, which says what to do.
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

// Cut is Text for another length of 0 or more bytes, the ellipsis not counted.
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
