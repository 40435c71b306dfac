package data

import "github.com/pmlam/pmlam/ui/store"

// State is what else is asked and shown under Your data.
type State struct {
	*store.Store
	Version string // of the program

	Asked   bool // it is asked what is to be erased
	AboutOn bool // what is known of the model is shown
}

// New returns the state of a first visit. version is the program's.
func New(s *store.Store, version string) *State {
	d := &State{Store: s, Version: version}
	s.Subscribe(func(e store.Event) {
		if e.Erased {
			d.Asked = false
		}
	})
	return d
}

// AskErase asks what is to be erased; KeepAll answers nothing, EraseMarks and EraseAll of the store do it.
func (d *State) AskErase() { d.Asked = true }

// KeepAll leaves everything as it is.
func (d *State) KeepAll() { d.Asked = false }

// ToggleAbout opens or closes what is known of the model.
func (d *State) ToggleAbout() { d.AboutOn = !d.AboutOn }
