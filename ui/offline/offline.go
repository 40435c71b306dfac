// Package offline shows whether the page opens without a network, and whether a newer version waits.
package offline

import (
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/store"
)

// State describes the page's own copy on this machine.
type State struct {
	*store.Store
	Copy browser.Copy
}

// New returns the state of a first visit.
func New(s *store.Store) *State { return &State{Store: s} }

// Set takes in news of the copy. What a visitor should notice is announced.
func (o *State) Set(now browser.Copy) {
	switch {
	case now.Update && !o.Copy.Update:
		o.Announce(o.W.UpdateWaits)
	case now.Away && !o.Copy.Away:
		o.Announce(o.W.Away)
	}
	o.Copy = now
}

// Restart starts the page again, in the newest version, once the visitor's marks are stored.
func (o *State) Restart() {
	go func() {
		o.Tasks.Wait()
		browser.Restart()
	}()
}

// Copied describes whether the page opens without a connection.
func (o *State) Copied() string {
	w, c := o.W, &o.Copy
	switch {
	case !c.Able:
		return w.CopyNever
	case !c.Since.IsZero():
		text := w.CopySince(c.Since.Year(), int(c.Since.Month()), c.Since.Day())
		if c.Full {
			text += " " + w.CopyFull
		}
		return text
	case c.Full:
		return w.CopyNoRoom
	case c.Refused:
		return w.CopyRefused
	}
	return w.CopySoon
}
