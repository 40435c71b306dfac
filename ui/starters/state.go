// Package starters invites a new visitor to pick well-known titles.
package starters

import (
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/list"
	"github.com/pmlam/pmlam/ui/marking"
	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/undo"
)

// State is which well-known titles are shown.
type State struct {
	*store.Store
	list    *list.State
	marking *marking.Marking
	offer   *undo.Offer

	items []int // of the page; nil: they have not been asked for
	page  int
}

// startersOf is how many are shown.
const startersOf = 12

// New returns the state of a first visit.
func New(s *store.Store, list *list.State, marking *marking.Marking, offer *undo.Offer) *State {
	n := &State{Store: s, list: list, marking: marking, offer: offer}
	s.Subscribe(func(e store.Event) {
		if e.Erased {
			n.show(0)
		}
	})
	return n
}

// Pick likes a title, or no longer, without an offer to undo: the pressed title is answer enough.
func (s *State) Pick(i int) {
	s.marking.Toggle(i, keep.Liked)
	s.offer.DropUndo()
	if !s.list.NeedsOnboarding() {
		browser.Focus("#next") // the invitation has gone, and the title that had the focus with it
	}
}

// OtherStarters shows other titles to start from.
func (s *State) OtherStarters() {
	s.show(s.page + 1)
}

func (s *State) show(page int) { s.page, s.items = page, nil }

// Items returns the titles. Visitors with a list do not see them, so they are found when they are first shown.
func (s *State) Items() []int {
	if s.items == nil {
		s.items = s.Engine.Starters(startersOf, s.page)
	}
	return s.items
}
