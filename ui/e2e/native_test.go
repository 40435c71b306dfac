//go:build !js

package e2e

import (
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/internal/demo"
	speech "github.com/pmlam/pmlam/ui/words"
)

var words = inEnglish()

// inEnglish and inGerman are the languages with the demo's words, for a site of films.
func inEnglish() *speech.Words { return speech.English().For(films()) }
func inGerman() *speech.Words  { return speech.German().For(films()) }

// films are the demo's owner settings in index.html.
var films = sync.OnceValue(func() speech.Owner { return speech.OwnerOf(demo.Meta("../../index.html")) })

// three are the likes with which most tests begin.
var three = []string{"Toy Story", "Heat", "Alien"}

// find returns the item of a title.
func find(t testing.TB, title string) int {
	t.Helper()
	i, err := native.Find(title)
	if err != nil {
		t.Fatal(err)
	}
	return i
}

// visit returns a visitor with these likes.
func visit(t testing.TB, likes ...string) recommend.Visit {
	t.Helper()
	var v recommend.Visit
	for _, title := range likes {
		v.Likes = append(v.Likes, find(t, title))
	}
	return v
}

// answer returns the native program's recommendations as headings of cards: "Heat 1995".
func answer(v recommend.Visit, r recommend.Request) []string {
	if r.K == 0 {
		r.K = 10
	}
	var out []string
	for _, s := range native.Recommend(v, native.Taste(v, nil), r) {
		out = append(out, heading(s.Item))
	}
	return out
}

// because returns a card's reasons: up to two likes, as shortened on cards, and general popularity. The larger part is
// first, and one below a third of the other is omitted.
func because(s recommend.Suggestion) (likes []string, general bool, sentence string) {
	for i, r := range s.Reasons {
		title, _, _ := strings.Cut(native.Item(r.Item).Title, " (")
		if i < 2 && r.Share >= s.Reasons[0].Share/3 {
			likes = append(likes, title)
		}
	}
	own := 1 - s.General
	liked := "ecause you liked " + strings.Join(likes, " and ")
	switch {
	case likes == nil && s.General < 0.25: // no like was a good enough reason
		return nil, false, ""
	case likes == nil, own < s.General/3:
		return nil, true, "Widely loved"
	case own < s.General:
		return likes, true, "Widely loved, and b" + liked
	case s.General >= own/3:
		return likes, true, "B" + liked + ", and it is widely loved"
	}
	return likes, false, "B" + liked
}

// heading returns a title with its year, as on a card.
func heading(i int) string {
	it := native.Item(i)
	if it.Year == 0 {
		return it.Title
	}
	return fmt.Sprintf("%s %d", it.Title, it.Year)
}

// named returns a title with its year, as in running text: "Heat, 1995".
func named(i int) string {
	it := native.Item(i)
	if it.Year == 0 {
		return it.Title
	}
	return fmt.Sprintf("%s, %d", it.Title, it.Year)
}
