package search_test

import (
	"strings"
	"testing"

	"github.com/pmlam/pmlam/ui"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/search"
	"github.com/pmlam/pmlam/ui/words"
)

// For a missing title the page says so, names the catalogue's latest year, and lists the closest titles.
func TestNotInTheCatalogue(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	for query, want := range map[string]string{
		"Film 7 again":   `aria-label="Like Film 7"`, // without the last word
		"at Filmhouses":  `aria-label="Like Film 0"`, // by the beginning of the longest word
		"Again, Film 12": "Closest matches:",
	} {
		v.Does(func() { v.P.Search.Search(query) })
		v.Sees("No title has “"+query+"”. This catalogue ends in 2009.", "Closest matches:", want)
		v.Misses("Try fewer letters")
		if !strings.HasSuffix(v.P.Announced, "Closest matches:") {
			t.Errorf("screen readers heard %q", v.P.Announced)
		}
	}
	v.Does(func() { v.P.Search.Search("qqq zzzz") })
	v.Sees("No title has “qqq zzzz”. This catalogue ends in 2009.</b> <span>Try fewer letters")
	v.Misses("Closest matches:")
	v.Does(func() { v.P.Search.Search("Film 7") })
	v.Misses("No title has")
	v.Does(v.P.Search.ClearSearch)
	v.Misses("No title has")
	for _, q := range []string{strings.Repeat("x", 500), strings.Repeat("é", 300), "é", "a b c d"} {
		if found := search.Closest(uitest.NewLine(9), q); found != nil {
			t.Errorf("the closest titles to %q are %v", q, found)
		}
	}
}

// A missing title gets its reason: too few people liked it, or it is too new. A query that is a tag lists its titles.
func TestReasonsForMissingTitles(t *testing.T) {
	e := uitest.NewLine(60)
	e.Left, e.Names = []string{"Moonlight", "Moonrise"}, []string{"imdbId", "tags"}
	e.Items[7].Values = []string{"1", "time travel|Kubrick"}
	e.Items[3].Values = []string{"2", "kubrick"}
	e.Items[9].Title = "Mother (Madeo)"
	v := uitest.Come(t, e, uitest.NewMemory())
	v.Does(func() { v.P.Search.Search("moonl") })
	v.Sees("Moonlight is missing here: too few people in our data liked it.")
	v.Misses("No title has", "Try ")
	v.Does(func() { v.P.Search.Search("moon") })
	v.Sees("Moonlight and Moonrise are missing here: too few people in our data liked them.")
	v.Does(func() { v.P.Search.Search("kubrick") })
	v.Sees("People tagged these “kubrick”:", `aria-label="Like Film 3"`, `aria-label="Like Film 7"`)
	if v.Misses("No title has", "Closest"); !strings.Contains(v.P.Announced, "People tagged these") {
		t.Errorf("screen readers heard %q", v.P.Announced)
	}
	v.Does(func() { v.P.Search.Search("Dune (2021)") })
	v.Sees("“Dune (2021)” is too new: this catalogue ends in 2009.")
	v.Does(func() { v.P.Search.Search("Dune 1984") })
	v.Sees("No title has “Dune 1984”. This catalogue ends in 2009.")
	v.Does(func() { v.P.Looks.SetLanguage("de"); v.P.Search.Search("moonlight") })
	v.Sees("Moonlight fehlt hier: In unseren Daten mochten das zu wenige.")
	for i := range 4 {
		e.Items[10+i].Title = "Twins (Gemini)"
	}
	v.Does(func() { v.P.Search.Search("Der Pate") })
	v.Sees("Nichts hier enthält „Der Pate“.", "Titel sind hier unter ihren internationalen und originalen Namen bekannt.")
}

// The first screen names the number of titles in the owner's word, and the latest year.
func TestFirstScreenSaysWhatItIsAbout(t *testing.T) {
	uitest.Come(t, uitest.NewLine(60), uitest.NewMemory()).Sees("Pick three you love", "60 titles up to 2009.")
	v := uitest.ComeTo(t, ui.New(ui.Config{Engine: uitest.NewLine(60), Disk: uitest.NewMemory(), Owner: words.Owner{Nouns: "en films; de Filme"}}))
	v.Sees("Pick three films you love", "60 films up to 2009. Three are enough")
	v.Does(func() { v.P.Looks.SetLanguage("de") })
	v.Sees("Wähle drei Filme, die du liebst", "60 Filme bis 2009.")
	e := uitest.NewLine(20)
	for i := range e.Items {
		e.Items[i].Year = 0
	}
	uitest.Come(t, e, uitest.NewMemory()).Sees("20 titles. Three are enough")
}
