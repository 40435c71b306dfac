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

// State is the well-known titles on offer.
type State struct {
	*store.Store
	list    *list.State
	marking *marking.Marking
	offer   *undo.Offer

	items []int // of the current page; nil: not found yet
	page  int
}

// startersOf is the number of titles shown.
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

// Pick toggles a like, without an offer to undo: pressing the title again undoes it.
func (s *State) Pick(i int) {
	s.marking.Toggle(i, keep.Liked)
	s.offer.Hide()
	if !s.list.NeedsOnboarding() {
		browser.Focus("#next") // the focused title is gone with the invitation
	}
}

// Take marks a title that was picked before the program ran. Titles that the catalogue lacks are skipped.
func (s *State) Take(id string, liked bool) {
	i, known := s.Find(id)
	if !known || liked == (s.Mark(i) == keep.Liked) {
		return
	}
	mark := keep.Unmarked
	if liked {
		mark = keep.Liked
	}
	s.Change(keep.Change{ID: id, Mark: mark})
}

// OtherStarters offers other titles.
func (s *State) OtherStarters() {
	s.show(s.page + 1)
}

func (s *State) show(page int) { s.page, s.items = page, nil }

// Items returns the titles. They are found when first shown, since visitors with a list do not see them.
func (s *State) Items() []int {
	if s.items == nil {
		s.items = s.Engine.Starters(startersOf, s.page)
	}
	return s.items
}
