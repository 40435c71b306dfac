package ui

import (
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/visit"
)

// Marking is how titles get their marks, in the list, in the search, on the map and under Your taste.
type Marking struct {
	*Session
	list    *ListState
	storage *Storage
	offer   *UndoState

	All [len(keep.Marks) + 1]bool // by Mark: the whole list of such titles is shown
}

// Toggle gives item i a mark, or takes that mark away where it has it already. It can be undone.
func (m *Marking) Toggle(i int, mark Mark) {
	title := m.W.Isolate(m.Item(i).Title)
	if m.Mark(i) == mark {
		m.change(i, Unmarked, m.W.Removed(title))
		return
	}
	m.change(i, mark, m.said(mark, title))
}

// said says that a title was given a mark.
func (m *Marking) said(mark Mark, title string) string {
	return [...]func(string) string{m.W.Liked, m.W.Disliked, m.W.SawIt, m.W.Kept}[mark-LikedIt](title)
}

// Remove takes the mark of item i away.
func (m *Marking) Remove(i int) { m.change(i, Unmarked, m.W.Removed(m.W.Isolate(m.Item(i).Title))) }

// Pick is Toggle of a like from the first visit's titles, without an offer to undo: the pressed title is answer enough.
func (m *Marking) Pick(i int) {
	m.Toggle(i, LikedIt)
	m.offer.Undo = nil
	if !m.list.First() {
		browser.Focus("#next") // the invitation has gone, and the title that had the focus with it
	}
}

func (m *Marking) change(i int, mark Mark, text string) {
	e := m.Log.Mark(keep.Change{ID: m.Item(i).ID, Mark: mark})
	m.offerUndo(text, e)
	m.changed()
}

// changed is called after every change of marks: it stores them and asks for new recommendations.
func (m *Marking) changed() {
	m.list.Shown = pageSize
	m.list.Why = -1
	m.storage.save()
	m.list.refresh(true)
}

// offerUndo offers to take events back.
func (m *Marking) offerUndo(text string, events ...visit.Event) {
	m.offer.offer(text, func() { m.undo(events...) })
}

// undo takes events back.
func (m *Marking) undo(events ...visit.Event) {
	who, was := m.Log.Who, m.Log.Settings
	m.Log.Undo(events...)
	if m.Log.Who != who {
		m.on.person()
	}
	m.on.settings(&was)
	m.feed.dirty |= feedDim | feedDistances
	m.changed()
}

// ToggleAll shows the whole list of titles with that mark, or its latest few.
func (m *Marking) ToggleAll(mark Mark) { m.All[mark] = !m.All[mark] }
