// Package offline shows whether the page opens without a network, and whether a newer version is ready.
package offline

import (
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/store"
)

// State describes the page's copy on this device.
type State struct {
	*store.Store
	Copy browser.Copy
}

// New returns the state of a first visit.
func New(s *store.Store) *State { return &State{Store: s} }

// Set takes in news of the copy, and announces changes that the visitor should notice.
func (o *State) Set(now browser.Copy) {
	switch {
	case now.Update && !o.Copy.Update:
		o.Announce(o.W.UpdateWaits)
	case now.Away && !o.Copy.Away:
		o.Announce(o.W.Away)
	}
	o.Copy = now
}

// Restart loads the newest version of the page, once the visitor's marks are stored.
func (o *State) Restart() {
	go func() {
		o.Tasks.Wait()
		browser.Restart()
	}()
}

// Copied returns a sentence that says whether the page opens without a connection.
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
