package ui

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pmlam/pmlam/core/recommend"
)

// One title a week, the same all week whatever is marked meanwhile, never the same again; what became of the earlier
// ones stands beside it.
func TestPickForTheWeek(t *testing.T) {
	store := newMemory()
	e := newLine(60)
	on := func(day int) *visitor { // of November 2026; the 2nd, 9th, 16th … are Mondays
		root := New(Config{Engine: e, Store: store})
		root.P.Week.now = func() time.Time { return time.Date(2026, 11, day, 12, 0, 0, 0, time.UTC) }
		v := comeTo(t, root)
		v.does(func() { v.p.List.refresh(false) })
		return v
	}
	v := on(2)
	v.misses("A pick for this week")
	for _, i := range []int{20, 22, 24} {
		v.does(func() { v.p.Marking.Pick(i) })
	}
	first := v.p.Week.Pick()
	v.sees("A pick for this week", "If you like this too, Film 30")
	if v.p.Week.First() || !v.p.Week.Last() {
		t.Error("a pick that was drawn while the list stands moves it")
	}
	if again := on(3); !again.p.Week.First() || again.p.Week.Last() {
		t.Error("a pick of an earlier visit does not stand first")
	}
	if r := e.asked[slices.IndexFunc(e.asked, func(r recommend.Request) bool { return r.Exploration > 0 })]; r.K != 1 || r.Seed == 0 {
		t.Errorf("the pick was asked for by %+v", r)
	}
	v.does(func() { v.p.Marking.Toggle(1, LikedIt) })
	if first < 0 || v.p.Week.Pick() != first || on(8).p.Week.Pick() != first {
		t.Errorf("the pick is %d, was %d", v.p.Week.Pick(), first)
	}
	v.does(func() { v.p.Week.change = nil; v.p.Marking.Toggle(first, SeenIt) })
	if v.p.Week.change != nil {
		t.Error("it was worked out what liking a title would change that was seen")
	}
	if v.p.Week.Pick() != first || strings.Contains(v.html(), `class="week"`) && strings.Contains(v.html(), "If you like this too, Film 30") {
		t.Error("a pick that was seen went, or is still said to change something")
	}

	next := on(9)
	second := next.p.Week.Pick()
	if second < 0 || second == first {
		t.Errorf("the next week's pick is %d, after %d", second, first)
	}
	next.sees("Earlier picks: " + next.p.Titled(first) + " (known)")
	third := on(30)
	third.sees("Earlier picks: " + third.p.Titled(second) + " (nothing said yet) and " + third.p.Titled(first) + " (known)")

	// It is the visitor's: in their backup, of their own page, and gone with what is erased.
	if file := string(third.p.Backup.backup(1_763_705_400_123).Bytes()); !strings.Contains(file, `"picks": ["`) {
		t.Errorf("the backup has no picks:\n%s", file)
	}
	third.does(func() { third.p.List.ShowSimilar(7) })
	third.misses("A pick for this week")
	third.does(third.p.Data.EraseMarks)
	if third.misses("A pick for this week"); third.p.Log.Settings.Picks != nil {
		t.Error("the picks were not erased")
	}
}

// A pick whose id is too long to be stored with its week is none, and all else is stored.
func TestPickOfALongID(t *testing.T) {
	e, store := newLine(60), newMemory()
	for i := range e.items {
		e.items[i].ID = strings.Repeat("x", 1020) + e.items[i].ID[2:]
	}
	v := come(t, e, store)
	for _, i := range []int{20, 22, 24} {
		v.does(func() { v.p.Marking.Pick(i) })
	}
	if l := store.ledger(t); len(l.Entries) != 3 || len(l.Settings.Picks) != 0 {
		t.Errorf("%d titles are stored, and %d picks", len(l.Entries), len(l.Settings.Picks))
	}
}
