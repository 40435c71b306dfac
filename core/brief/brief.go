// Package brief shortens the texts of others that errors and logs repeat. A file, a request or a command line can hold
// a name of any length; what repeats it as it came hands its length on to an answer, a terminal or a log.
//
// Where it stands in the flow: below everything that reports a mistake. It imports nothing but the standard library.
package brief

import "unicode/utf8"

// Max is how much of a text is repeated, in bytes.
const Max = 100

// Text returns s, or the beginning of one that is longer than Max bytes and an ellipsis. It cuts between two
// characters. O(1).
func Text(s string) string { return Cut(s, Max) }

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
