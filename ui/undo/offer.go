package undo

import (
	"slices"
	"time"

	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/visit"
)

// Offer is the offer to undo the latest change, and the memory of earlier ones.
type Offer struct {
	*store.Store
	Undo *Undo // shown; nil: none

	changes []*Undo // that Ctrl+Z can still undo, latest last
}

// New returns the state of a first visit.
func New(s *store.Store) *Offer {
	o := &Offer{Store: s}
	s.Subscribe(func(e store.Event) {
		if e.Person || e.Words || e.Erased {
			o.Undo, o.changes = nil, nil
		}
	})
	return o
}

// Undo is a change that can be undone.
type Undo struct {
	Text string // describes the change
	back func()
}

// undoFor is how long the offer is shown, and longer while it has the pointer or the focus. mostChanges is the number
// of changes that Ctrl+Z can undo, one after the other. The lists under Your taste can undo any mark at any time.
const (
	undoFor     = 10 * time.Second
	mostChanges = 50
)

// Events offers to undo events of the store.
func (u *Offer) Events(text string, events ...visit.Event) {
	u.Show(text, func() { u.Store.Undo(events...) })
}

// Show shows and announces the offer for a while; back reverts the change. It returns the argument of Withdraw.
func (u *Offer) Show(text string, back func()) *Undo {
	undo := &Undo{text, back}
	u.Announce(text)
	u.Undo = undo
	u.changes = append(u.changes[max(len(u.changes)-mostChanges+1, 0):], undo)
	if !u.Tasks.Running() {
		return undo
	}
	go func() { // not counted by Wait: nothing depends on it
		time.Sleep(undoFor)
		for u.Undo == undo && browser.Engaged(".undo") {
			time.Sleep(time.Second)
		}
		u.Tasks.Lock()
		if u.Undo != undo {
			u.Tasks.Unlock()
			return
		}
		u.Undo = nil
		u.Tasks.UnlockRender()
	}()
	return undo
}

// TakeBack undoes the latest change that is not undone yet, except for marks that have changed since, here or in
// another tab.
func (u *Offer) TakeBack() {
	last := len(u.changes) - 1
	if last < 0 {
		return
	}
	undo := u.changes[last]
	u.Undo, u.changes = nil, u.changes[:last]
	undo.back()
	u.Announce(u.W.Undone)
}

// Hide hides the offer. Ctrl+Z can still undo its change.
func (u *Offer) Hide() { u.Undo = nil }

// Withdraw forgets a change that was undone in another way.
func (u *Offer) Withdraw(undo *Undo) {
	if u.Undo == undo {
		u.Undo = nil
	}
	u.changes = slices.DeleteFunc(u.changes, func(c *Undo) bool { return c == undo })
}
