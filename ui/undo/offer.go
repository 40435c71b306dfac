package undo

import (
	"time"

	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/visit"
)

// Offer is the offer to undo the latest change.
type Offer struct {
	*store.Store
	Undo *Undo // nil: none
}

// New returns the state of a first visit.
func New(s *store.Store) *Offer {
	o := &Offer{Store: s}
	s.Subscribe(func(e store.Event) {
		if e.Person || e.Words || e.Erased {
			o.Undo = nil
		}
	})
	return o
}

// Undo is a change that can be undone.
type Undo struct {
	Text string // describes the change
	back func()
}

// undoFor is how long the offer is shown. The lists under Your taste can undo any mark at any time.
const undoFor = 12 * time.Second

// Events offers to undo events of the store.
func (u *Offer) Events(text string, events ...visit.Event) {
	u.Show(text, func() { u.Store.Undo(events...) })
}

// Show shows and announces the offer for a while; back reverts the change.
func (u *Offer) Show(text string, back func()) {
	undo := &Undo{text, back}
	u.Announce(text)
	u.Undo = undo
	if !u.Tasks.Running() {
		return
	}
	go func() { // not counted by Wait: nothing depends on it
		time.Sleep(undoFor)
		u.Tasks.Lock()
		if u.Undo != undo {
			u.Tasks.Unlock()
			return
		}
		u.Undo = nil
		u.Tasks.UnlockRender()
	}()
}

// TakeBack undoes the latest change, except for marks that have changed since, here or in another tab.
func (u *Offer) TakeBack() {
	if u.Undo == nil {
		return
	}
	undo := u.Undo
	u.Undo = nil
	undo.back()
	u.Announce(u.W.Undone)
}

// DropUndo withdraws the offer.
func (u *Offer) DropUndo() { u.Undo = nil }
