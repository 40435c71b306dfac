package ui

import (
	"strings"

	"github.com/pmlam/pmlam/ui/browser"
)

// Languages are what the page speaks. The first is spoken where a visitor asks for none of them.
var Languages = [...]func() *Words{English, German}

// Speak returns the words in the language of that tag, "de-AT" as "de", or else in the first language.
func Speak(tag string) *Words {
	tag, _, _ = strings.Cut(strings.ToLower(tag), "-")
	first := Languages[0]()
	for _, of := range Languages[1:] {
		if w := of(); w.Tag == tag {
			return w
		}
	}
	return first
}

// Spoken returns the words in the language that the document is in: what the visitor chose here, or what their browser
// asks for (assets/js/words.js).
func Spoken() *Words { return Speak(browser.DocumentLanguage()) }

// Language is the language that the page is in.
type Language struct {
	W         *Words
	Name      string   // of the site
	owner     string   // the name that the site's owner gave it, or ""
	languages []*Words // among which the visitor can choose
}

// newLanguage begins with these words, nil: in the language of the document.
func newLanguage(w *Words, owner string) Language {
	if w == nil {
		w = Spoken()
	}
	l := Language{owner: owner}
	l.use(w)
	for _, of := range Languages {
		l.languages = append(l.languages, of())
	}
	return l
}

func (l *Language) use(w *Words) { l.W, l.Name = w, or(l.owner, w.Name) }

// day writes a date of the form 2026-11-21 in the language, and anything else as it is.
func (w *Words) day(iso string) string {
	at := func(from, to int) (n int) {
		for _, c := range iso[from:to] {
			if c < '0' || c > '9' {
				return 0
			}
			n = 10*n + int(c-'0')
		}
		return n
	}
	if len(iso) != len("2026-11-21") {
		return iso
	}
	year, month, day := at(0, 4), at(5, 7), at(8, 10)
	if iso[4] != '-' || iso[7] != '-' || month < 1 || month > 12 || day < 1 {
		return iso
	}
	return w.date(year, month, day)
}
