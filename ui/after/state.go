// Package after shows what people choose after the visitor's latest like.
package after

import (
	"slices"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/list"
	"github.com/pmlam/pmlam/ui/marking"
	"github.com/pmlam/pmlam/ui/store"
)

// State is a row of titles that people choose after the visitor's latest like, if the model and the order of the latest
// likes are known. The row is below the visitor's own list and has none of its titles. No chance is stated: the order
// was not calibrated.
type State struct {
	*store.Store
	list    *list.State
	marking *marking.Marking

	Of     int   // the latest like
	Titles []int // nil: no row
}

// New returns the state of a first visit.
func New(s *store.Store, list *list.State, marking *marking.Marking) *State {
	a := &State{Store: s, list: list, marking: marking}
	s.Subscribe(func(e store.Event) {
		if e.Person || e.Erased {
			a.Titles = nil
		}
	})
	list.WhenIdle(a.ask)
	return a
}

// rowLength is the number of titles in the row.
const rowLength = 4

// Shown reports whether there is a row, with the visitor's own list.
func (a *State) Shown() bool {
	return len(a.Titles) > 0 && a.list.HasList() && a.View().Kind == address.Own && !a.list.Borrowing() &&
		a.Mark(a.Of) == keep.Liked
}

// ask finds the row. It is called without the render lock, while the engine is idle.
func (a *State) ask() {
	a.Tasks.Lock()
	now, taste, turn := a.Now(), a.list.Taste, a.list.Turn()
	recent := latest(a.Diary(), a.Find)
	if !a.About.Order || taste == nil || len(now.Visit.Likes) < store.Wanted || len(recent) == 0 ||
		a.View().Kind != address.Own || a.list.Borrowing() {
		a.Titles = nil
		a.Tasks.Unlock()
		return
	}
	v := now.Visit
	v.Recent, v.Again = recent, a.About.Again
	v.Seen = slices.Concat(v.Seen, now.Items[keep.Unmarked])
	for _, s := range a.list.Titles {
		v.Seen = append(v.Seen, s.Item)
	}
	if pick := a.list.Aside(); pick >= 0 {
		v.Seen = append(v.Seen, pick)
	}
	a.Tasks.Unlock()
	browser.NextTurn()
	var row []int
	for _, s := range a.Engine.Recommend(v, taste, recommend.Request{K: rowLength, Bare: true, Later: true}) {
		row = append(row, s.Item)
	}
	a.Tasks.Lock()
	if a.list.Overtaken(turn) {
		a.Tasks.Unlock()
		return
	}
	a.Of, a.Titles = recent[len(recent)-1], row
	a.Tasks.UnlockRender()
}

// latest returns the latest likes of a diary, the latest last, as long as their order is known: those with a day of
// watching, and those that were marked alone. Titles marked at once have consecutive times.
func latest(diary []keep.Entry, find func(id string) (int, bool)) (out []int) {
	near := func(k, other int) bool {
		return other >= 0 && other < len(diary) && diary[other].When == 0 &&
			max(diary[k].At, diary[other].At)-min(diary[k].At, diary[other].At) <= 1
	}
	for k := len(diary) - 1; k >= 0 && len(out) < recommend.RecentItems; k-- {
		e := &diary[k]
		i, known := find(e.ID)
		if e.Mark != keep.Liked || !known {
			continue
		}
		if e.When == 0 && (near(k, k-1) || near(k, k+1)) {
			break
		}
		out = append(out, i)
	}
	slices.Reverse(out)
	return out
}

// Like likes a title of the row. It can be undone.
func (a *State) Like(i int) {
	if a.Mark(i) == keep.Unmarked {
		a.marking.Toggle(i, keep.Liked)
	}
}
