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

	Naming   bool      // a field asks for another name of the person whose page it is
	typed    string    // the text of that field, or of the one that asks for the second person's name
	expected *expected // nil: nobody
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

// expected is a person with known marks and without a name.
type expected struct {
	marks keep.State
	named func()
}

// Expect has the next named person begin with these marks; named is called before that.
func (p *State) Expect(marks keep.State, named func()) { p.expected = &expected{marks, named} }

// ExpectNobody has the next named person begin without marks.
func (p *State) ExpectNobody() { p.expected = nil }

// Expects reports whether a person with known marks is expected.
func (p *State) Expects() bool { return p.expected != nil }

// Add has a second person of that name choose here too, and makes the page theirs, so that they can mark titles.
func (p *State) Add(name string) {
	if name = keep.Called(name); name == "" || p.Other() != "" {
		return
	}
	p.typed = ""
	p.Join(name)
	p.Become(1)
}

// AddWith is Add of a person with known marks, from a link or a file: the page stays the visitor's own, and shows the
// list for both.
func (p *State) AddWith(name string, marks keep.State) {
	if name = keep.Called(name); name == "" || p.Other() != "" {
		return
	}
	p.typed = ""
	p.JoinWith(name, &marks)
	p.Go(address.View{Kind: address.Together})
	browser.Focus("#next")
}

// AskName asks for another name of the person whose page it is, or no longer.
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

// Rename gives the person whose page it is that name.
func (p *State) Rename(name string) {
	if name = keep.Called(name); name == "" {
		return
	}
	p.Store.Rename(name)
	p.stopNaming()
	p.Announce(words.Fill(p.W.NowCalled, p.W.Isolate(name)))
	browser.Focus(`[data-key="rename"]`)
}

// Become makes the page that of one of the two.
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

// stopNaming asks for no name any more.
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
