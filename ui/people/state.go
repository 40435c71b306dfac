// Package people names a second person, and chooses whose page it is.
package people

import (
	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/undo"
	"github.com/pmlam/pmlam/ui/words"
)

// State is the naming of the two people, and whose page it is.
type State struct {
	*store.Store
	offer *undo.Offer

	Naming   bool      // a field asks for a new name of the person whose page it is
	typed    string    // the text of that field, or of the field for the second person's name
	expected *expected // nil: none
}

// New returns the state of a first visit.
func New(s *store.Store, offer *undo.Offer) *State {
	p := &State{Store: s, offer: offer}
	s.Subscribe(func(e store.Event) {
		if e.Person || e.Erased {
			p.stopNaming()
		}
		if e.Erased {
			p.ExpectNobody()
		}
	})
	return p
}

// expected is a person with marks but without a name yet.
type expected struct {
	marks keep.State
	named func()
}

// Expect makes the next named person start with these marks. named is called before that.
func (p *State) Expect(marks keep.State, named func()) { p.expected = &expected{marks, named} }

// ExpectNobody makes the next named person start without marks.
func (p *State) ExpectNobody() { p.expected = nil }

// Expects reports whether a person with marks is expected.
func (p *State) Expects() bool { return p.expected != nil }

// Add adds a second person and shows their page, so that they can mark titles.
func (p *State) Add(name string) {
	if name = keep.Called(name); name == "" || p.Other() != "" {
		return
	}
	p.typed = ""
	p.Join(name)
	p.Become(1)
}

// AddWith adds a person with marks from a link or a file. It stays on the visitor's page, and shows the list for both.
func (p *State) AddWith(name string, marks keep.State) {
	if name = keep.Called(name); name == "" || p.Other() != "" {
		return
	}
	p.typed = ""
	p.JoinWith(name, &marks)
	p.Go(address.View{Kind: address.Together})
	browser.Focus("#next")
}

// AskName shows or hides the field for a new name of the person whose page it is.
func (p *State) AskName() {
	p.Naming = !p.Naming
	p.typed = p.Settings().Person
	if p.Who() == 1 {
		p.typed = p.Other()
	}
	if p.Naming {
		browser.Focus("#person")
	}
}

// Rename renames the person whose page it is.
func (p *State) Rename(name string) {
	if name = keep.Called(name); name == "" {
		return
	}
	p.Store.Rename(name)
	p.stopNaming()
	p.Announce(words.Fill(p.W.NowCalled, p.W.Isolate(name)))
	browser.Focus(`[data-key="rename"]`)
}

// Become shows one person's page.
func (p *State) Become(who int) {
	if who == p.Who() || who == 1 && p.Other() == "" {
		return
	}
	p.Store.Become(who)
	text := p.W.NowYou
	if who == 1 {
		text = p.W.NowChoosing(p.W.Isolate(p.Other()))
	}
	p.Announce(text)
	browser.Focus("#next")
}

// stopNaming hides the field for a name.
func (p *State) stopNaming() { p.Naming, p.typed = false, "" }

// Forget removes the second person. It can be undone for a while.
func (p *State) Forget() {
	name := p.Other()
	e := p.Part()
	if p.View().Kind == address.Together {
		p.Go(address.View{})
	}
	p.offer.Show(p.W.Forgotten(p.W.Isolate(name)), func() {
		p.typed = ""
		p.Undo(e)
	})
}
