// Package tabs chooses the part of the page that a narrow screen shows.
package tabs

import "github.com/pmlam/pmlam/ui/store"

// Tab is a part of the page that a narrow screen shows.
type Tab uint8

// The tabs, in the order of the tab bar.
const (
	Next Tab = iota
	Map
	Taste
	Data
)

// State is the current tab.
type State struct {
	*store.Store
	Tab Tab
}

// New returns the state of a first visit. Opening a view switches to the list.
func New(s *store.Store) *State {
	t := &State{Store: s}
	s.Subscribe(func(e store.Event) {
		if e.View || e.Erased {
			t.Tab = Next
		}
	})
	return t
}

// SetTab switches to another tab.
func (t *State) SetTab(tab Tab) { t.Tab = tab }
