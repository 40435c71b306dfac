package week_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui"
	"github.com/pmlam/pmlam/ui/internal/uitest"
	"github.com/pmlam/pmlam/ui/keep"
)

// There is one title a week, which stays whatever is marked meanwhile and never comes again. Earlier picks are shown
// with their marks.
func TestPickForTheWeek(t *testing.T) {
	store := uitest.NewMemory()
	e := uitest.NewLine(60)
	on := func(day int) *uitest.Visitor { // of November 2026; the 2nd, 9th, 16th … are Mondays
		root := ui.New(ui.Config{Engine: e, Disk: store})
		root.P.Week.Clock = func() time.Time { return time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC) }
		v := uitest.ComeTo(t, root)
		return v
	}
	v := on(2)
	v.Misses("A pick for this week")
	for _, i := range []int{20, 22, 24} {
		v.Does(func() { v.P.Starters.Pick(i) })
	}
	first := v.P.Week.Pick()
	v.Sees("A pick for this week", "If you like this too, Film 30", `class="week-title"`, "Because you liked")
	if slices.Contains(v.Titles()[:10], first) {
		t.Errorf("the pick %d is one of the ten: %v", first, v.Titles())
	}
	if v.P.Week.First() || !v.P.Week.Last() {
		t.Error("a pick drawn on the open page moves the list")
	}
	if again := on(3); !again.P.Week.First() || again.P.Week.Last() {
		t.Error("a pick of an earlier visit does not come first")
	}
	if r := e.Asked[slices.IndexFunc(e.Asked, func(r recommend.Request) bool { return r.Exploration > 0 })]; r.K != 1 || r.Seed == 0 {
		t.Errorf("the pick was drawn by the request %+v", r)
	}
	v.Does(func() { v.P.Marking.Toggle(1, keep.Liked) })
	if first < 0 || v.P.Week.Pick() != first || on(8).P.Week.Pick() != first {
		t.Errorf("the pick is %d, was %d", v.P.Week.Pick(), first)
	}
	v.Does(func() { v.P.Week.ForgetChange(); v.P.Marking.Toggle(first, keep.Seen) })
	if v.P.Week.Change() != nil {
		t.Error("the effect of liking a seen title was computed")
	}
	if v.P.Week.Pick() != first || strings.Contains(v.HTML(), `class="week"`) && strings.Contains(v.HTML(), "If you like this too, Film 30") {
		t.Error("marking the pick as seen removed it, or its effect is still shown")
	}

	next := on(9)
	second := next.P.Week.Pick()
	if second < 0 || second == first {
		t.Errorf("the next week's pick is %d, after %d", second, first)
	}
	next.Sees("Earlier picks: " + next.P.Titled(first) + " (known)")
	third := on(30)
	third.Sees("Earlier picks: " + third.P.Titled(second) + " (no answer yet) and " + third.P.Titled(first) + " (known)")

	// The picks are the visitor's own: they are in the backup, shown on the visitor's page only, and erased with the
	// rest.
	if file := string(third.P.Store.Backup(1_763_705_400_123).Bytes()); !strings.Contains(file, `"picks": ["`) {
		t.Errorf("the backup has no picks:\n%s", file)
	}
	third.Does(func() { third.P.List.ShowSimilar(7) })
	third.Misses("A pick for this week")
	third.Does(third.P.EraseMarks)
	if third.Misses("A pick for this week"); third.P.Settings().Picks != nil {
		t.Error("the picks were not erased")
	}
}

// A pick with an id too long to be stored with its week is dropped; everything else is stored.
func TestPickOfALongID(t *testing.T) {
	e, store := uitest.NewLine(60), uitest.NewMemory()
	for i := range e.Items {
		e.Items[i].ID = strings.Repeat("x", 1020) + e.Items[i].ID[2:]
	}
	v := uitest.Come(t, e, store)
	for _, i := range []int{20, 22, 24} {
		v.Does(func() { v.P.Starters.Pick(i) })
	}
	if l := store.Ledger(t); len(l.Entries) != 3 || len(l.Settings.Picks) != 0 {
		t.Errorf("%d titles are stored, and %d picks", len(l.Entries), len(l.Settings.Picks))
	}
}

// In a new week the pick is above the list from the first moment, with a reason, and is never one of the ten, whatever is
// marked later. The fate of all picks is counted.
func TestPickInANewWeek(t *testing.T) {
	store, e := uitest.NewMemory(), uitest.NewLine(60)
	on := func(day int) *uitest.Visitor {
		root := ui.New(ui.Config{Engine: e, Disk: store})
		root.P.Week.Clock = func() time.Time { return time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC) }
		return uitest.ComeTo(t, root)
	}
	v := on(2)
	for _, i := range []int{20, 22, 24} {
		v.Does(func() { v.P.Starters.Pick(i) })
	}
	for week, mark := range []keep.Mark{keep.Liked, keep.NotForMe, keep.Liked} {
		v := on(2 + 7*week)
		if week > 0 && (!v.P.Week.First() || v.P.Week.Last()) {
			t.Errorf("week %d: the new pick is not above the list", week)
		}
		pick := v.P.Week.Pick()
		v.Sees("Because you liked")
		for _, near := range []int{pick + 1, pick - 1} {
			if v.P.Mark(near) == keep.Unmarked {
				v.Does(func() { v.P.Marking.Toggle(near, keep.Liked) })
			}
			if slices.Contains(v.Titles(), pick) {
				t.Errorf("week %d: the pick %d is in the list %v", week, pick, v.Titles())
			}
		}
		v.Does(func() { v.P.Marking.Toggle(pick, mark) })
	}
	last := on(30)
	last.Sees("You liked 2 of 3 picks.", "Earlier picks: ")
	last.Does(func() { last.P.Looks.SetLanguage("de") })
	last.Sees("Dir gefielen 2 von 3 Tipps.")
}
