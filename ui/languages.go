package ui

import "strings"

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
func Spoken() *Words { return Speak(documentLanguage()) }

// SetLanguage speaks another language from now on.
func (p *Page) SetLanguage(tag string) {
	p.Log.Settings.Language = tag
	p.translate()
	p.save()
	p.announce(p.W.NowIn)
}

// translate speaks the language of the settings. What was said in another one for a moment, such as an offer to undo, is
// taken away.
func (p *Page) translate() {
	w := Speak(setLanguage(p.Log.Settings.Language))
	if w.Tag == p.W.Tag {
		return
	}
	p.W, p.Name = w, or(p.owner, w.Name)
	p.Undo = nil
	p.notice(p.noticed)
	p.Sharing = Sharing{Dislikes: p.Sharing.Dislikes}
	if p.Opened != nil && p.Opened.Problem != "" {
		p.Opened = nil
	}
	p.feed.dirty |= feedWords
	p.nameDocument()
	p.refresh(false) // what it found may be told in words
}

// all are the words of all languages.
func all() (out []*Words) {
	for _, of := range Languages {
		out = append(out, of())
	}
	return out
}

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
