// Package tabs chooses the part of the page that a narrow screen shows.
package tabs

import "github.com/pmlam/pmlam/ui/store"

// Tab is the part of the page that a narrow screen shows.
type Tab uint8

// The tabs, in the order of the tab bar.
const (
	Next Tab = iota
	Map
	Taste
	Data
)

// State is which tab is shown.
type State struct {
	*store.Store
	Tab Tab
}

// New returns the state of a first visit. A view that is opened brings the list with it.
func New(s *store.Store) *State {
	t := &State{Store: s}
	s.Subscribe(func(e store.Event) {
		if e.View || e.Erased {
			t.Tab = Next
		}
	})
	return t
}

// SetTab shows another part of the page on a narrow screen.
func (t *State) SetTab(tab Tab) { t.Tab = tab }
