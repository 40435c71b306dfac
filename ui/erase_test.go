package ui_test

import (
	"regexp"
	"testing"

	"github.com/pmlam/pmlam/core/importer"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/tabs"
)

// turns matches the number of questions to the engine, which erasing does not reset.
var turns = regexp.MustCompile(`data-turn="\d+"`)

// After erasing everything, the page looks like a first visit, whatever the visitor did before: each feature has
// reset itself.
func TestErasedIsAFirstVisit(t *testing.T) {
	page := func(v *uitest.Visitor) string { return turns.ReplaceAllString(v.HTML(), "") }
	for name, act := range map[string]func(v *uitest.Visitor){
		"searched":  func(v *uitest.Visitor) { v.Does(func() { v.P.Search.Search("Film 3") }) },
		"no match":  func(v *uitest.Visitor) { v.Does(func() { v.P.Search.Search("qqq") }) },
		"starters":  func(v *uitest.Visitor) { v.Does(func() { v.P.Marking.Remove(0); v.P.Starters.OtherStarters() }) },
		"a tab":     func(v *uitest.Visitor) { v.Does(func() { v.P.Tabs.SetTab(tabs.Data) }) },
		"why":       func(v *uitest.Visitor) { v.Does(func() { v.P.List.ToggleWhy(v.P.List.Titles[0].Item) }) },
		"more":      func(v *uitest.Visitor) { v.Does(v.P.List.More) },
		"different": func(v *uitest.Visitor) { v.Does(v.P.List.Different) },
		"a genre":   func(v *uitest.Visitor) { v.Does(func() { v.P.Follow("genre=Odd&page=2") }) },
		"similar":   func(v *uitest.Visitor) { v.Does(func() { v.P.List.ShowSimilar(7) }) },
		"copied":    func(v *uitest.Visitor) { v.Does(func() { v.P.List.Handed("copied") }) },
		"filters":   func(v *uitest.Visitor) { v.Does(func() { v.P.Tuning.ToggleGenre("Rare") }) },
		"a mode":    func(v *uitest.Visitor) { v.Does(func() { v.P.Tuning.SetMode(recommend.HiddenGems) }) },
		"distances": func(v *uitest.Visitor) { v.Does(func() { v.P.Map.ShowDistances(true) }) },
		"on map":    func(v *uitest.Visitor) { v.Does(func() { v.P.Map.Select(7) }) },
		"history":   func(v *uitest.Visitor) { v.Does(v.P.History.Toggle) },
		"a pair":    func(v *uitest.Visitor) { v.Does(v.P.Pair.Skip) },
		"a friend":  func(v *uitest.Visitor) { v.Does(func() { v.P.People.Add("Anna") }) },
		"two": func(v *uitest.Visitor) {
			v.Does(func() { v.P.People.AddWith("Anna", keep.State{Likes: []string{"id40"}}) })
			v.Does(v.P.People.AskName)
		},
		"a link": func(v *uitest.Visitor) {
			v.Does(func() { v.P.Received.Receive(link(t, []string{"id1", "id30"}, nil)) })
			v.Does(v.P.Received.Look)
		},
		"a link's person": func(v *uitest.Visitor) {
			v.Does(func() { v.P.Received.Receive(link(t, []string{"id1", "id30"}, nil)) })
			v.Does(v.P.Received.TogetherWithReceived)
		},
		"shared": func(v *uitest.Visitor) {
			v.Does(func() { v.P.Sharing.ToggleShareDislikes(); v.P.Sharing.Handed("handed out") })
		},
		"a file": func(v *uitest.Visitor) {
			v.Does(func() {
				v.P.Import.Bring([]importer.File{{Name: "a", Data: []byte("title,year,rating\nFilm 10,1960,5\n")}})
			})
		},
		"a bad file": func(v *uitest.Visitor) { v.Does(func() { v.P.Import.BringUnread("a", false) }) },
		"imported": func(v *uitest.Visitor) {
			v.Does(func() {
				v.P.Import.Bring([]importer.File{{Name: "a", Data: []byte("title,year,rating\nFilm 10,1960,5\n")}})
			})
			v.Does(v.P.Import.AgreeImport)
		},
		"a backup":     func(v *uitest.Visitor) { v.Opens(string(v.File())) },
		"a bad backup": func(v *uitest.Visitor) { v.Opens("{") },
		"asked":        func(v *uitest.Visitor) { v.Does(v.P.Data.AskErase) },
		"looks": func(v *uitest.Visitor) {
			v.Does(func() { v.P.Looks.SetTheme(2); v.P.Looks.SetLanguage("de") })
		},
	} {
		v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
		first := page(v)
		for _, i := range []int{0, 2, 4} {
			v.Does(func() { v.P.Starters.Pick(i) })
		}
		v.Does(func() { v.P.Marking.Toggle(9, keep.NotForMe) })
		before := page(v)
		act(v)
		if page(v) == before {
			t.Errorf("%s: the page did not change", name)
		}
		v.Does(v.P.EraseAll)
		if after := page(v); after != first {
			at := 0
			for at < min(len(after), len(first)) && after[at] == first[at] {
				at++
			}
			from := max(at-60, 0)
			t.Errorf("%s: after erasing, the page has\n%s\nwhere a first visit has\n%s", name,
				after[from:min(at+60, len(after))], first[from:min(at+60, len(first))])
		}
	}
}
