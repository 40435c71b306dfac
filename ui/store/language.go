package store

import (
	"cmp"

	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/words"
)

// Spoken returns the words in the document's language: the visitor's choice, or the browser's preference (words.js).
func Spoken() *words.Words { return words.Speak(browser.DocumentLanguage()) }

// Language is the page's language. It follows from the settings.
type Language struct {
	W         *words.Words
	Name      string         // the site's
	Languages []*words.Words // that the visitor can choose

	given  string      // the owner's name of the site, or ""
	owner  words.Owner // the owner's texts about titles
	chosen string      // keep.Settings.Language at the latest translate
}

// newLanguage starts with w; nil means the words in the document's language.
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

// Imports reports whether visitors can import ratings.
func (l *Language) Imports() bool { return !l.owner.NoImport }

// translate switches to the language with this tag, or for "" the browser's, and reports whether that is a change.
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
