package data

import "github.com/pmlam/pmlam/ui/store"

// State is the open panels under Your data.
type State struct {
	*store.Store
	Version string // the program's
	Studio  string // address of the studio, where visitors make a page of their own; "" if the site has none

	Asked   bool // the page is asking how much to erase
	AboutOn bool // the description of the model is open
}

// New returns the state of a first visit. version is the program's, studio the address of the studio or "".
func New(s *store.Store, version, studio string) *State {
	d := &State{Store: s, Version: version, Studio: studio}
	s.Subscribe(func(e store.Event) {
		if e.Erased {
			d.Asked = false
		}
	})
	return d
}

// AskErase asks how much to erase. The answers are KeepAll, and EraseMarks and EraseAll of the store.
func (d *State) AskErase() { d.Asked = true }

// KeepAll closes the question and erases nothing.
func (d *State) KeepAll() { d.Asked = false }

// ToggleAbout opens or closes the description of the model.
func (d *State) ToggleAbout() { d.AboutOn = !d.AboutOn }
