package dataset

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// cleaner makes the texts of a catalogue fit for model files, pages and terminals, and remembers which items it
// changed.
type cleaner struct {
	report  *Report
	cleaned []bool // I: counted in report.Cleaned
}

// text returns a text of item i without unprintable characters: each run of control characters, including line ends and
// tabs, becomes one blank, and characters that change the text direction are removed.
func (c *cleaner) text(i int, b []byte) string {
	text := string(trim(b))
	clean := cleanText(text)
	if clean != text && !c.cleaned[i] {
		c.cleaned[i] = true
		c.report.Cleaned++
	}
	return clean
}

// title is text for a title, cut to the longest allowed length.
func (c *cleaner) title(i int, b []byte) string {
	text := c.text(i, b)
	if len(text) <= maxTitle {
		return text
	}
	c.report.Shortened++
	const end = "…"
	cut := maxTitle - len(end)
	for !utf8.RuneStart(text[cut]) {
		cut--
	}
	return strings.TrimSpace(text[:cut]) + end
}

// cleanText returns a text without unprintable characters.
func cleanText(text string) string {
	if strings.IndexFunc(text, unprintable) < 0 {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	gap := false // control characters since the last character that was kept
	for _, r := range text {
		switch {
		case unicode.IsControl(r), r == 0x2028, r == 0x2029:
			gap = true
		case unprintable(r):
		default:
			if gap && r != ' ' && b.Len() > 0 && !strings.HasSuffix(b.String(), " ") {
				b.WriteByte(' ')
			}
			gap = false
			b.WriteRune(r)
		}
	}
	return strings.TrimRight(b.String(), " ")
}

// unprintable reports whether r is a control character, ends a line or changes the direction of the following text.
// Directional marks and joiners are printable: titles need them.
func unprintable(r rune) bool {
	return unicode.IsControl(r) || r == 0x2028 || r == 0x2029 || r >= 0x202a && r <= 0x202e || r >= 0x2066 &&
		r <= 0x206f
}
