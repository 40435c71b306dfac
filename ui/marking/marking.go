// Package marking gives titles their marks, and shows titles in short lists with them.
package marking

import (
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/undo"
)

// Marking is how titles get their marks, in the list, in the search, on the map and under Your taste.
type Marking struct {
	*store.Store
	offer *undo.Offer

	All [len(keep.Marks) + 1]bool // by Mark: the whole list of such titles is shown
}

// New returns the state of a first visit.
func New(s *store.Store, offer *undo.Offer) *Marking { return &Marking{Store: s, offer: offer} }

// Toggle gives item i a mark, or takes that mark away where it has it already. It can be undone.
func (m *Marking) Toggle(i int, mark keep.Mark) {
	title := m.Named(i)
	if m.Mark(i) == mark {
		m.change(i, keep.Unmarked, m.W.Removed(title))
		return
	}
	m.change(i, mark, m.Said(mark, title))
}

// Said says that a title was given a mark.
func (m *Marking) Said(mark keep.Mark, title string) string {
	return [...]func(string) string{m.W.Liked, m.W.Disliked, m.W.SawIt, m.W.Kept}[mark-keep.Liked](title)
}

// Remove takes the mark of item i away.
func (m *Marking) Remove(i int) { m.change(i, keep.Unmarked, m.W.Removed(m.Named(i))) }

func (m *Marking) change(i int, mark keep.Mark, text string) {
	m.offer.Events(text, m.Change(keep.Change{ID: m.Entry(i).ID, Mark: mark}))
}

// ToggleAll shows the whole list of titles with that mark, or its latest few.
func (m *Marking) ToggleAll(mark keep.Mark) { m.All[mark] = !m.All[mark] }
