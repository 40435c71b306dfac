package store

import (
	"cmp"

	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/words"
)

// Spoken returns the words in the language of the document: the visitor's choice here, or the one that their browser
// asks for (words.js among its scripts).
func Spoken() *words.Words { return words.Speak(browser.DocumentLanguage()) }

// Language is the language that the page is in. It follows from the settings.
type Language struct {
	W         *words.Words
	Name      string         // of the site
	Languages []*words.Words // among which the visitor can choose

	given  string      // the name that the site's owner gave it, or ""
	owner  words.Owner // texts of the site's owner about its titles
	chosen string      // keep.Settings.Language as of the latest translate
}

// newLanguage begins with these words, nil: in the language of the document.
func newLanguage(w *words.Words, name string, owner words.Owner) Language {
	if w == nil {
		w = Spoken()
	}
	l := Language{given: name, owner: owner}
	l.use(w)
	for _, of := range words.Languages {
		l.Languages = append(l.Languages, of())
	}
	return l
}

func (l *Language) use(w *words.Words) { l.W, l.Name = w.For(l.owner), cmp.Or(l.given, w.Name) }

// translate changes to the language with that tag, "": the browser's, and reports whether the page was in another one.
func (l *Language) translate(tag string) bool {
	if tag == l.chosen {
		return false
	}
	l.chosen = tag
	w := words.Speak(browser.SetLanguage(tag))
	if w.Tag == l.W.Tag {
		return false
	}
	l.use(w)
	return true
}
