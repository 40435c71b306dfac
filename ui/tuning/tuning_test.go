package tuning_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui"
	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/list"
	"github.com/pmlam/pmlam/ui/words"
)

// The heading shows the current mode, and no more than two modes are visible until the panel is opened.
func TestWaysOfLooking(t *testing.T) {
	v := uitest.Come(t, uitest.NewLine(60), uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	ways := func() (n int) {
		page := v.HTML()
		for _, group := range strings.Split(page, `class="modes"`)[1:] {
			tags := strings.Split(group[:strings.Index(group, "</div>")], "<")
			for _, tag := range tags[1:] {
				if strings.Contains(tag, `class="mode"`) && !strings.Contains(tag+tags[0], "hidden") {
					n++
				}
			}
		}
		return n
	}
	for m, name := range v.P.W.Modes {
		v.Does(func() { v.P.Tuning.SetMode(recommend.Mode(m)) })
		want := v.P.W.Next
		if m > 0 {
			want = name
		}
		v.Sees(`id="next-heading" class="display">` + want + "<")
		if n := ways(); n != min(m, 1)+1 {
			t.Errorf("%s: %d modes are shown", name, n)
		}
	}
	v.Does(v.P.Tuning.ToggleTuning)
	if n := ways(); n != 5 {
		t.Errorf("the open panel shows %d modes", n)
	}
	v.Sees("#like=")
	v.Does(v.P.Tuning.ToggleTuning)
	v.Does(func() { v.P.Go(address.View{Kind: address.Browse}) })
	if n := ways(); n != 2 {
		t.Errorf("browsing: %d modes are shown", n)
	}
}

func TestControlsReachTheEngine(t *testing.T) {
	e := uitest.NewLine(60)
	v := uitest.Come(t, e, uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Does(func() { v.P.Tuning.SetExploration(0.75) })
	v.Does(func() { v.P.Tuning.SetDiversity(0.25) })
	v.Does(func() { v.P.Tuning.SetMode(recommend.HiddenGems) })
	v.Sees("Shuffle")
	v.Does(v.P.List.Shuffle)
	r := e.Asked[len(e.Asked)-1]
	if r.Exploration != 0.75 || r.Diversity != 0.25 || r.Mode != recommend.HiddenGems || r.Seed != 1 ||
		r.K != list.PageSize {
		t.Errorf("the engine got the request %+v", r)
	}
}

// films is a line whose genres include two moods.
type films struct{ *uitest.Line }

func (films) Genres() []string { return []string{"Comedy", "Children", "Animation", "Thriller"} }

// A mood is a switch for its genres, in plain words. Catalogues without these genres have none.
func TestMoods(t *testing.T) {
	e := uitest.NewLine(60)
	plain := uitest.Come(t, e, uitest.NewMemory())
	plain.Does(func() { plain.P.Starters.Pick(0) })
	plain.Does(plain.P.Tuning.ToggleTuning)
	plain.Misses(`role="switch"`)
	v := uitest.Come(t, films{e}, uitest.NewMemory())
	v.Does(func() { v.P.Starters.Pick(0) })
	v.Does(v.P.Tuning.ToggleTuning)
	v.Sees(`aria-label="Mood"`, `role="switch" aria-checked="false">A good laugh`, `aria-checked="false">For the family`)
	v.Misses("Something tense")
	v.Does(func() { v.P.Tuning.ToggleMood(v.P.Tuning.Moods()[1]) })
	v.Does(func() { v.P.Tuning.ToggleMood(v.P.Tuning.Moods()[0]) })
	v.Sees(`aria-checked="true">For the family`, `aria-checked="true">A good laugh`)
	if !slices.ContainsFunc(e.Asked, func(r recommend.Request) bool {
		return slices.Equal(r.Filter.Genres, []string{"Children", "Animation", "Comedy"})
	}) {
		t.Error("the engine is not asked for both moods")
	}
	v.Does(func() { v.P.Tuning.ToggleMood(v.P.Tuning.Moods()[1]) })
	if got := v.P.Settings().Genres; !slices.Equal(got, []string{"Comedy"}) {
		t.Errorf("without the family the filter is %q", got)
	}
	tea := uitest.ComeTo(t, ui.New(ui.Config{Engine: teas{e}, Disk: uitest.NewMemory(),
		Owner: words.Owner{Moods: "de Gemütlich=Tea; en Cosy evening=Tea|Candles, A gift=Books"}}))
	tea.Does(func() { tea.P.Starters.Pick(0) })
	tea.Does(tea.P.Tuning.ToggleTuning)
	tea.Sees(`aria-checked="false">Cosy evening`)
	tea.Misses("A gift", "A good laugh", "Gemütlich") // no books here
	tea.Does(func() { tea.P.Tuning.ToggleMood(tea.P.Tuning.Moods()[0]) })
	if got := tea.P.Settings().Genres; !slices.Equal(got, []string{"Tea", "Candles"}) {
		t.Errorf("of a cosy evening the filter is %q", got)
	}
}

// teas is a line of a shop's categories.
type teas struct{ *uitest.Line }

func (teas) Genres() []string { return []string{"Tea", "Comedy", "Candles"} }
