// Package marking marks titles, and shows short lists of titles with their marks.
package marking

import (
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/undo"
)

// Marking marks titles in the list, in the search, on the map and under Your taste.
type Marking struct {
	*store.Store
	offer *undo.Offer

	All      [len(keep.Marks) + 1]bool // by Mark: all titles are listed
	Detailed int                       // the item whose stars and lists are shown; −1: none
	typed    string                    // the name of a new list
}

// New returns the state of a first visit.
func New(s *store.Store, offer *undo.Offer) *Marking {
	m := &Marking{Store: s, offer: offer, Detailed: -1}
	s.Subscribe(func(e store.Event) {
		if e.Person || e.Erased {
			m.Detailed, m.typed = -1, ""
		}
	})
	return m
}

// Toggle gives item i a mark, or removes that mark. It can be undone.
func (m *Marking) Toggle(i int, mark keep.Mark) {
	title := m.Named(i)
	if m.Mark(i) == mark {
		m.change(i, keep.Unmarked, m.W.Removed(title))
		return
	}
	m.change(i, mark, m.Said(mark, title))
}

// Said describes a new mark of a title.
func (m *Marking) Said(mark keep.Mark, title string) string {
	return [...]func(string) string{m.W.Liked, m.W.Disliked, m.W.SawIt, m.W.Kept}[mark-keep.Liked](title)
}

// Remove removes item i's mark.
func (m *Marking) Remove(i int) { m.change(i, keep.Unmarked, m.W.Removed(m.Named(i))) }

func (m *Marking) change(i int, mark keep.Mark, text string) {
	m.offer.Events(text, m.Change(keep.Change{ID: m.Entry(i).ID, Mark: mark}))
}

// ToggleAll switches between all titles with a mark and the latest few.
func (m *Marking) ToggleAll(mark keep.Mark) { m.All[mark] = !m.All[mark] }
