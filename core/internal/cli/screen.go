package cli

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Titles, ids, licences and provenance come from untrusted files, and control characters in them would act on a
// terminal: ESC ] 52 writes to the clipboard, a carriage return overwrites the line, U+202E reverses the direction of
// the text. So all output goes through a screen, which writes such characters as \u001b and the like. In JSON, where
// they occur only within strings, that is the same text.

// screen wraps standard output or standard error. It keeps the first write error, so that lost output is not reported
// as success.
type screen struct {
	w    io.Writer
	err  error
	held []byte // the beginning of a character whose remaining bytes are still missing
}

// Write writes b with control characters escaped, except for line ends and tabs, which the command itself prints; Line
// escapes those too.
func (s *screen) Write(b []byte) (int, error) {
	text := b
	if len(s.held) > 0 {
		text, s.held = append(s.held, b...), nil
	}
	if n := unfinished(text); n > 0 {
		s.held = append([]byte(nil), text[len(text)-n:]...)
		text = text[:len(text)-n]
	}
	return len(b), s.send(Visible(string(text)))
}

// close writes an incomplete character held back at the end.
func (s *screen) close() error {
	rest := Visible(string(s.held))
	s.held = nil
	return s.send(rest)
}

func (s *screen) send(text string) error {
	if text == "" {
		return nil
	}
	_, err := io.WriteString(s.w, text)
	if err != nil && s.err == nil {
		s.err = err
	}
	return err
}

// unfinished returns how many bytes at the end begin a character without ending it.
func unfinished(b []byte) int {
	for n := 1; n < utf8.UTFMax && n <= len(b); n++ {
		if tail := b[len(b)-n:]; utf8.RuneStart(tail[0]) {
			if utf8.FullRune(tail) {
				return 0
			}
			return n
		}
	}
	return 0
}

// file returns the file behind one of the command's writers, or nil.
func file(w io.Writer) *os.File {
	if s, ok := w.(*screen); ok {
		w = s.w
	}
	f, _ := w.(*os.File)
	return f
}

// Visible returns a text with control characters in the form \u001b, and bytes that are not UTF-8 in the form \x9b.
func Visible(text string) string {
	return escaped(text, func(r rune) bool { return isControl(r) && r != '\n' && r != '\t' })
}

// Line is Visible for a text that must stay on its line and in its column, such as a title: it also escapes line ends
// and tabs.
func Line(text string) string { return escaped(text, isControl) }

func escaped(text string, hidden func(r rune) bool) string {
	if utf8.ValidString(text) && strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	var b strings.Builder
	for len(text) > 0 {
		r, n := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && n == 1:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case hidden(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(text[:n])
		}
		text = text[n:]
	}
	return b.String()
}

// isControl reports whether r acts on a terminal instead of being shown: control characters, characters that change the
// direction of the following text, and line separators. Direction marks (U+200E, U+200F) and joiners are kept: they
// affect only their neighbours, and titles need them.
func isControl(r rune) bool {
	return unicode.IsControl(r) || r >= 0x202a && r <= 0x202e || r >= 0x2066 && r <= 0x206f || r == 0x2028 ||
		r == 0x2029
}
