package ui_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui"
	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/internal/demo"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/words"
)

// shop is an engine with an uncalibrated model that has no description, as a shop's may be.
type shop struct{ *uitest.Line }

func (shop) About() recommend.About {
	return recommend.About{Users: 12, Items: 60, Positives: 3456}
}

func (e shop) Places(v recommend.Visit, t *recommend.Taste) recommend.Places {
	p := e.Line.Places(v, t)
	p.Calibrated = false
	return p
}

func (e shop) Recommend(v recommend.Visit, t *recommend.Taste, r recommend.Request) []recommend.Suggestion {
	out := e.Line.Recommend(v, t, r)
	for i := range out {
		out[i].Chance, out[i].Certainty = 0, recommend.Unsaid
	}
	return out
}

// With a model without a description, the page shows none of the demo's facts in any language: attribution, names and
// kinds of titles, measured quality.
func TestNothingOfTheDemoWithAnotherModel(t *testing.T) {
	for _, speak := range words.Languages {
		w := speak()
		e := shop{uitest.NewLine(60)}
		for i := range e.Items {
			e.Items[i].Title = fmt.Sprint("Cable ", i)
		}
		v := uitest.Come(t, e, uitest.NewMemory())
		v.Does(func() { v.P.Looks.SetLanguage(w.Tag) })
		pages := v.HTML()
		v.Does(func() { v.P.Starters.Pick(0); v.P.Data.ToggleAbout() })
		pages += v.HTML()
		v.Does(func() {
			v.P.List.ToggleWhy(v.P.List.Titles[0].Item)
			v.P.Search.Search("zzz")
			v.P.Go(address.View{Kind: address.Browse})
		})
		pages += v.HTML()
		for _, wrong := range []string{"Harper", "10.1145", "MovieLens", "Film", "film", "movie", "Heat", "Alien",
			w.Quality, w.QualityNote, ">" + w.Licence + "<"} {
			if strings.Contains(pages, wrong) {
				t.Errorf("%s: the page of a shop's own model says %q", w.Tag, wrong)
			}
		}
		if !strings.Contains(pages, `placeholder="Cable 0, Cable 1 …"`) {
			t.Errorf("%s: the search box does not name the best-known titles", w.Tag)
		}
	}
}

// With an uncalibrated model the page states no certainty anywhere, and says why.
func TestUncalibrated(t *testing.T) {
	e := shop{uitest.NewLine(60)}
	e.Surely = func() { t.Error("certainties were computed for an uncalibrated model") }
	v := uitest.Come(t, e, uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Does(func() { v.P.List.ToggleWhy(1); v.P.List.ToggleTrust() })
	v.Sees(v.P.W.Uncalibrated, v.P.W.HeldAgainstNobody)
	for _, word := range v.P.W.Certain {
		v.Misses(word, strings.ToLower(word))
	}
	v.Misses("We think there")
	v.Sees(`<p class="legend-rings" hidden=`)
	if v.P.List.Taste == nil {
		t.Error("the test needs a taste")
	}
}

// Without likes no certainty is stated, whatever the model, and earlier ones are gone.
func TestUnsureYet(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.Go(address.View{Kind: address.Genre, Genre: "Odd"}) })
	v.Does(func() { v.P.List.ToggleWhy(v.P.List.Titles[0].Item) })
	v.Sees(v.P.W.UnsureYet)
	v.Misses("airly sure", "We think there")
	v.Does(func() { v.P.Starters.Pick(0) }) // the explanation stays open
	v.Sees("Fairly sure", "We think there’s a 70% chance")
	v.Does(func() { v.P.Marking.Remove(0) })
	v.Misses("airly sure", "We think there")
}

// The card of a title without ratings says so next to its chance; other cards do not.
func TestNobodyYet(t *testing.T) {
	e := uitest.NewLine(60)
	for i := 30; i < 60; i++ {
		e.Items[i].Count = 0
	}
	v := uitest.Come(t, e, uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(29) })
	fresh, known := -1, -1
	for _, s := range v.P.List.Titles {
		if e.Items[s.Item].Count == 0 {
			fresh = s.Item
		} else {
			known = s.Item
		}
	}
	v.Does(func() { v.P.List.ToggleWhy(fresh) })
	v.Sees("We think there’s a 70% chance", v.P.W.NobodyYet)
	v.Does(func() { v.P.List.ToggleWhy(known) })
	v.Sees("We think there’s a 70% chance")
	v.Misses(v.P.W.NobodyYet)
}

// goods returns a catalogue without years, with categories.
func goods(n int) *uitest.Line {
	e := uitest.NewLine(n)
	for i := range e.Items {
		e.Items[i].Title, e.Items[i].Year = fmt.Sprint("Cable ", i), 0
	}
	return e
}

// A site's page uses its owner's words for titles, in both languages, and none about films.
func TestAnyKindOfThing(t *testing.T) {
	films := words.OwnerOf(demo.Meta("../index.html"))
	books := words.Owner{Nouns: "en books; de Bücher", Known: "en Read; de Gelesen", Services: "Goodreads, StoryGraph",
		Genres: "en Odd=Odd/odd books; de Odd=Seltsam/Seltsames"}
	things := words.Owner{Nouns: "en products; de Produkte", Known: "en Bought; de Gekauft",
		Groups: "en category/categories; de Kategorie/Kategorien"}
	filmWords := []string{"title", "titel", "film", "movie", "kino", "cinema", "imdb", "letterboxd", "movielens", "seen", "gesehen",
		"watch", "director"}
	for _, site := range []struct {
		name      string
		owner     words.Owner
		engine    *uitest.Line
		says, not map[string][]string // by language
	}{
		{"films", films, uitest.NewLine(60), map[string][]string{
			"en": {"three films you love", "60 films up to 2009", ">Seen<", "Letterboxd, IMDb, Goodreads, StoryGraph or MovieLens",
				"genre"},
			"de": {"drei Filme", "60 Filme bis 2009", ">Gesehen<", "StoryGraph oder MovieLens", "Genre"}}, nil},
		{"books", books, goods(60), map[string][]string{
			"en": {"three books you love", "60 books", ">Read<", "your export from Goodreads or StoryGraph", "Browse by genre<"},
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
			v := uitest.ComeTo(t, ui.New(ui.Config{Engine: shop{site.engine}, Disk: uitest.NewMemory(), Owner: site.owner}))
			tag := speak().Tag
			v.Does(func() { v.P.Looks.SetLanguage(tag) })
			pages := v.HTML()
			look := func(f func()) { v.Does(f); pages += v.HTML() + v.P.Announced }
			look(func() { v.P.Import.GoImport() })
			look(func() { v.P.Go(address.View{}) })
			look(func() { v.P.Starters.Pick(0) })
			look(func() { v.P.Marking.Toggle(4, keep.Seen); v.P.Tuning.ToggleTuning(); v.P.Map.ToggleText() })
			look(func() { v.P.Data.ToggleAbout(); v.P.Data.AskErase(); v.P.List.ToggleWhy(v.P.List.Titles[0].Item) })
			look(func() { v.P.Go(address.View{Kind: address.Browse}) })
			look(func() { v.P.Go(address.View{}); v.P.Tuning.ToggleGenre("Odd") })
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
