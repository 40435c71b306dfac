package words

import (
	"strconv"
	"strings"
	"time"
)

// Languages are the languages of the page. Visitors who ask for none of them get the first.
var Languages = [...]func() *Words{English, German}

// Speak returns the words for a language tag, with "de-AT" as "de". It falls back to the first language.
func Speak(tag string) *Words {
	tag, _, _ = strings.Cut(strings.ToLower(tag), "-")
	for _, of := range Languages {
		if w := of(); w.Tag == tag {
			return w
		}
	}
	return Languages[0]()
}

// Month formats the month of an ISO date, like "November 2026", and returns "" for anything else.
func (w *Words) Month(iso string) string {
	t, err := time.Parse(time.DateOnly, iso)
	if err != nil {
		return ""
	}
	return w.Months[t.Month()-1] + " " + strconv.Itoa(t.Year())
}

// Date formats an ISO date such as 2026-11-21 in the language, and returns anything else unchanged.
func (w *Words) Date(iso string) string {
	t, err := time.Parse(time.DateOnly, iso)
	if err != nil {
		return iso
	}
	return w.date(t.Year(), int(t.Month()), t.Day())
}
