package ui

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/internal/demo"
	"github.com/pmlam/pmlam/ui/words"
)

// shop is an engine of a model that says nothing about itself, and is not calibrated: as a shop's own may be.
type shop struct{ *line }

func (shop) About() recommend.About {
	return recommend.About{Users: 12, Items: 60, Positives: 3456}
}

func (e shop) Places(v recommend.Visit, t *recommend.Taste) recommend.Places {
	p := e.line.Places(v, t)
	p.Calibrated = false
	return p
}

func (e shop) Recommend(v recommend.Visit, t *recommend.Taste, r recommend.Request) []recommend.Suggestion {
	out := e.line.Recommend(v, t, r)
	for i := range out {
		out[i].Chance, out[i].Certainty = 0, recommend.Unsaid
	}
	return out
}

// With a model that says nothing about itself the page says nothing of the kind either, in any language: whom the demo
// has to cite, what its titles are called, what they are, and what was measured belongs to the demo.
func TestNothingOfTheDemoWithAnotherModel(t *testing.T) {
	for _, speak := range words.Languages {
		w := speak()
		e := shop{newLine(60)}
		for i := range e.items {
			e.items[i].Title = fmt.Sprint("Cable ", i)
		}
		v := come(t, e, newMemory())
		v.does(func() { v.p.Looks.SetLanguage(w.Tag) })
		pages := v.html()
		v.does(func() { v.p.Marking.Pick(0); v.p.Data.ToggleAbout() })
		pages += v.html()
		v.does(func() {
			v.p.List.ToggleWhy(v.p.List.Titles[0].Item)
			v.p.Search.Search("zzz")
			v.p.List.Go(View{Kind: BrowseView})
		})
		pages += v.html()
		for _, wrong := range []string{"Harper", "10.1145", "MovieLens", "Film", "film", "movie", "Heat", "Alien",
			w.Quality, w.QualityNote, ">" + w.Licence + "<"} {
			if strings.Contains(pages, wrong) {
				t.Errorf("%s: with a shop's own model the page says %q", w.Tag, wrong)
			}
		}
		if !strings.Contains(pages, `placeholder="Cable 0, Cable 1 …"`) {
			t.Errorf("%s: the search box does not name the best-known titles", w.Tag)
		}
	}
}

// The search box names short titles that people know; the best-known one where there are not enough.
func TestHint(t *testing.T) {
	e := newLine(3)
	for i, title := range []string{"A very long title", "Another long one", "Short"} {
		e.items[i].Title = title
	}
	if got := hint(e); got != "A very long title" {
		t.Errorf("with one short title the hint is %q", got)
	}
	e.items[1].Title = "Älteres"
	if got := hint(e); got != "Älteres, Short …" {
		t.Errorf("the hint is %q", got)
	}
	if got := hint(newLine(0)); got != "" {
		t.Errorf("without titles the hint is %q", got)
	}
}

// A model that is not calibrated does not say how sure it is, anywhere on the page, and says why.
func TestUncalibrated(t *testing.T) {
	e := shop{newLine(60)}
	e.surely = func() { t.Error("it was worked out how sure a list is that nobody can be sure of") }
	v := come(t, e, newMemory())
	v.does(func() { v.p.Marking.Pick(0) })
	v.does(func() { v.p.List.ToggleWhy(1); v.p.List.ToggleTrust() })
	v.sees(v.p.W.Uncalibrated, v.p.W.HeldAgainstNobody)
	for _, word := range v.p.W.Certain {
		v.misses(word, strings.ToLower(word))
	}
	v.misses("We think there", "With probability 95%")
	if m := (&TasteMap{Map: v.p.Map, List: v.p.List}); m.rings() || v.p.List.Taste == nil {
		t.Errorf("the legend says how much of a taste the rings hold: %v", m.rings())
	}
}

// Who likes nothing yet is told of no certainty by any model, and what they were told while they liked something does
// not stay.
func TestUnsureYet(t *testing.T) {
	v := come(t, newLine(60), newMemory())
	v.does(func() { v.p.List.Go(View{Kind: GenreView, Genre: "Odd"}) })
	v.does(func() { v.p.List.ToggleWhy(v.p.List.Titles[0].Item) })
	v.sees(v.p.W.UnsureYet)
	v.misses("airly sure", "We think there")
	v.does(func() { v.p.Marking.Pick(0) })
	v.does(func() { v.p.List.ToggleWhy(v.p.List.Titles[0].Item) })
	v.sees("Fairly sure", "We think there&#39;s a 70% chance")
	v.does(func() { v.p.Marking.Remove(0) })
	v.misses("airly sure", "We think there")
}

// Of a title that nobody had rated the card says so, beside its chance; of others it does not.
func TestNobodyYet(t *testing.T) {
	e := newLine(60)
	for i := 30; i < 60; i++ {
		e.items[i].Count = 0
	}
	v := come(t, e, newMemory())
	v.does(func() { v.p.Marking.Pick(29) })
	fresh, known := -1, -1
	for _, s := range v.p.List.Titles {
		if e.items[s.Item].Count == 0 {
			fresh = s.Item
		} else {
			known = s.Item
		}
	}
	v.does(func() { v.p.List.ToggleWhy(fresh) })
	v.sees("We think there&#39;s a 70% chance", v.p.W.NobodyYet)
	v.does(func() { v.p.List.ToggleWhy(known) })
	v.sees("We think there&#39;s a 70% chance")
	v.misses(v.p.W.NobodyYet)
}

// goods is a catalogue without years, in categories.
func goods(n int) *line {
	e := newLine(n)
	for i := range e.items {
		e.items[i].Title, e.items[i].Year = fmt.Sprint("Cable ", i), 0
	}
	return e
}

// A site of anything says what its owner says of its titles, in both languages, and nothing of films.
func TestAnyKindOfThing(t *testing.T) {
	films := words.OwnerOf(demo.Meta("../index.html"))
	books := words.Owner{Nouns: "en books; de Bücher", Known: "en Read; de Gelesen", Services: "Goodreads, StoryGraph",
		Genres: "en Odd=Odd/odd books; de Odd=Seltsam/Seltsames"}
	things := words.Owner{Nouns: "en products; de Produkte", Known: "en Bought; de Gekauft",
		Groups: "en category/categories; de Kategorie/Kategorien"}
	filmWords := []string{"film", "movie", "kino", "cinema", "imdb", "letterboxd", "movielens", "seen", "gesehen",
		"watch", "director"}
	for _, site := range []struct {
		name      string
		owner     words.Owner
		engine    *line
		says, not map[string][]string // by language
	}{
		{"films", films, newLine(60), map[string][]string{
			"en": {"three films you love", "60 films up to 2009", ">Seen<", "Letterboxd, IMDb, Goodreads, StoryGraph or MovieLens",
				"genre"},
			"de": {"drei Filme", "60 Filme bis 2009", ">Gesehen<", "StoryGraph oder MovieLens", "Genre"}}, nil},
		{"books", books, goods(60), map[string][]string{
			"en": {"three books you love", "60 books", ">Read<", "that Goodreads or StoryGraph exports", "Browse by genre<"},
			"de": {"drei Bücher", "60 Bücher", ">Gelesen<", "Goodreads oder StoryGraph", "Seltsam"}},
			map[string][]string{"en": filmWords, "de": filmWords}},
		{"a shop", things, goods(60), map[string][]string{
			"en": {"three products you love", "60 products", ">Bought<", ">Category<", "Categories on the map",
				"By category<", "by category."},
			"de": {"drei Produkte", ">Gekauft<", ">Kategorie<", "Kategorien auf der Karte",
				"Nach Kategorie<", "nach Kategorie."}},
			map[string][]string{"en": append(filmWords, "genre", "decade", "goodreads"),
				"de": append(filmWords, "genre", "jahrzehnt", "goodreads")}},
	} {
		for _, speak := range words.Languages {
			v := comeTo(t, New(Config{Engine: shop{site.engine}, Store: newMemory(), Owner: site.owner}))
			tag := speak().Tag
			v.does(func() { v.p.Looks.SetLanguage(tag) })
			pages := v.html()
			look := func(f func()) { v.does(f); pages += v.html() + v.p.Announced }
			look(func() { v.p.Import.GoImport() })
			look(func() { v.p.List.Go(View{}) })
			look(func() { v.p.Marking.Pick(0) })
			look(func() { v.p.Marking.Toggle(4, SeenIt); v.p.Tuning.ToggleTuning(); v.p.Map.ToggleText() })
			look(func() { v.p.Data.ToggleAbout(); v.p.Data.AskErase(); v.p.List.ToggleWhy(v.p.List.Titles[0].Item) })
			look(func() { v.p.List.Go(View{Kind: BrowseView}) })
			look(func() { v.p.List.Go(View{}); v.p.Tuning.ToggleGenre("Odd") })
			for _, want := range site.says[tag] {
				if !strings.Contains(pages, want) {
					t.Errorf("%s, %s: the page does not say %q", site.name, tag, want)
				}
			}
			for _, wrong := range site.not[tag] {
				for _, line := range strays(t, pages) {
					if strings.Contains(strings.ToLower(line), wrong) {
						t.Errorf("%s, %s: the page says %q", site.name, tag, line)
					}
				}
			}
		}
	}
}
