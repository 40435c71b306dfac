package ui

import (
	"strings"
	"testing"

	"github.com/pmlam/pmlam/ui/words"
)

// What is not there is said to be not there, with how far the catalogue goes, and what comes closest stands below.
func TestNotInTheCatalogue(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	for query, want := range map[string]string{
		"Film 7 again":   `aria-label="Like Film 7"`, // without its last word
		"at Filmhouses":  `aria-label="Like Film 0"`, // by how its longest word begins
		"Again, Film 12": "Closest are:",
	} {
		v.does(func() { v.p.Search.Search(query) })
		v.sees("“"+query+"” is not in this catalogue, which ends in 2009. Closest are:", want)
		v.misses("Try fewer letters")
		if !strings.HasSuffix(v.p.Announced, "Closest are:") {
			t.Errorf("screen readers heard %q", v.p.Announced)
		}
	}
	v.does(func() { v.p.Search.Search("qqq zzzz") })
	v.sees("“qqq zzzz” is not in this catalogue, which ends in 2009.</b> <span>Try fewer letters")
	v.misses("Closest are:")
	v.does(func() { v.p.Search.Search("Film 7") })
	v.misses("is not in this catalogue")
	v.does(v.p.Search.ClearSearch)
	v.misses("is not in this catalogue")
	for _, q := range []string{strings.Repeat("x", 500), strings.Repeat("é", 300), "é", "a b c d"} {
		if found := closest(newLine(9), q); found != nil {
			t.Errorf("close to %q is %v", q, found)
		}
	}
}

// The first screen says what there is to pick from, in the owner's word for it, and until when.
func TestFirstScreenSaysWhatItIsAbout(t *testing.T) {
	come(t, newLine(60), newMemory()).sees("Pick three you love", "60 titles up to 2009.")
	v := comeTo(t, New(Config{Engine: newLine(60), Store: newMemory(), Owner: words.Owner{Nouns: "en films; de Filme"}}))
	v.sees("Pick three films you love", "60 films up to 2009. Three are enough")
	v.does(func() { v.p.Looks.SetLanguage("de") })
	v.sees("Wähle drei Filme, die du liebst", "60 Filme bis 2009.")
	e := newLine(20)
	for i := range e.items {
		e.items[i].Year = 0
	}
	come(t, e, newMemory()).sees("20 titles. Three are enough")
}
