package ui

import (
	"cmp"

	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/words"
)

// Spoken returns the words in the language that the document is in: what the visitor chose here, or what their browser
// asks for (words.js among its scripts).
func Spoken() *words.Words { return words.Speak(browser.DocumentLanguage()) }

// Language is the language that the page is in.
type Language struct {
	W         *words.Words
	Name      string         // of the site
	given     string         // the name that the site's owner gave it, or ""
	owner     words.Owner    // what they say of its titles
	languages []*words.Words // among which the visitor can choose
}

// newLanguage begins with these words, nil: in the language of the document.
func newLanguage(w *words.Words, name string, owner words.Owner) Language {
	if w == nil {
		w = Spoken()
	}
	l := Language{given: name, owner: owner}
	l.use(w)
	for _, of := range words.Languages {
		l.languages = append(l.languages, of())
	}
	return l
}

func (l *Language) use(w *words.Words) { l.W, l.Name = w.For(l.owner), cmp.Or(l.given, w.Name) }
