package words

import (
	"strings"
	"time"
)

// Languages are those that the page can be in. The first is for visitors who ask for none of them.
var Languages = [...]func() *Words{English, German}

// Speak returns the words in the language of that tag, "de-AT" as "de", or else in the first language.
func Speak(tag string) *Words {
	tag, _, _ = strings.Cut(strings.ToLower(tag), "-")
	for _, of := range Languages {
		if w := of(); w.Tag == tag {
			return w
		}
	}
	return Languages[0]()
}

// Date writes a date of the form 2026-11-21 in the language, and anything else as it is.
func (w *Words) Date(iso string) string {
	t, err := time.Parse(time.DateOnly, iso)
	if err != nil {
		return iso
	}
	return w.date(t.Year(), int(t.Month()), t.Day())
}
