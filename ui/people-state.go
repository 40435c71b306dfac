package ui

import (
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/words"
)

// PeopleState is the naming of the two people, and whose page it is.
type PeopleState struct {
	*Session
	list     *ListState
	storage  *Storage
	offer    *UndoState
	received *ReceivedState

	Naming bool   // a field asks for another name of the person whose page it is
	typed  string // the text of that field, or of the one that asks for the second person's name
}

// Add has a second person choose here too, of that name, and makes the page theirs, so that they can mark what they
// like.
func (p *PeopleState) Add(name string) {
	if name = keep.Called(name); name == "" || p.Log.Other != "" {
		return
	}
	p.Log.Join(name, nil)
	p.typed = ""
	p.Become(1)
}

// AddWith is Add of somebody of whom it is known already what they like, as a link or a file lists it: the page stays
// the visitor's own, and shows what suits both.
func (p *PeopleState) AddWith(name string, marks State) {
	if name = keep.Called(name); name == "" || p.Log.Other != "" {
		return
	}
	p.Log.JoinWith(name, &marks)
	p.typed = ""
	p.storage.save()
	p.list.Go(View{Kind: TogetherView})
	p.list.refresh(true) // also where that is shown already
	browser.Focus("#next")
}

// AskName asks for another name of the person whose page it is, or no longer.
func (p *PeopleState) AskName() {
	p.Naming = !p.Naming
	p.typed = p.Log.Settings.Person
	if p.Log.Who == 1 {
		p.typed = p.Log.Other
	}
	if p.Naming {
		browser.Focus("#person")
	}
}

// Rename gives the person whose page it is that name.
func (p *PeopleState) Rename(name string) {
	if name = keep.Called(name); name == "" {
		return
	}
	p.Log.Rename(name)
	p.stopNaming()
	p.feed.dirty |= feedMarks
	p.announce(words.Fill(p.W.NowCalled, p.W.Isolate(name)))
	p.storage.save()
	browser.Focus(`[data-key="rename"]`)
}

// Become makes the page that of one of the two.
func (p *PeopleState) Become(who int) {
	if who == p.Log.Who || who == 1 && p.Log.Other == "" {
		return
	}
	p.Log.Become(who)
	p.on.person()
	text := p.W.NowYou
	if who == 1 {
		text = p.W.NowChoosing(p.W.Isolate(p.Log.Other))
	}
	p.announce(text)
	p.storage.save()
	browser.Focus("#next")
}

// stopNaming asks for no name any more.
func (p *PeopleState) stopNaming() { p.Naming, p.typed = false, "" }

// Forget removes the second person. It can be undone for a while.
func (p *PeopleState) Forget() {
	who, name := p.Log.Who, p.Log.Other
	e := p.Log.Part()
	p.feed.dirty |= feedMarks
	if who == 1 {
		p.on.person()
	}
	if p.list.View.Kind == TogetherView {
		p.list.Go(View{})
	}
	p.storage.save()
	p.offer.offer(p.W.Forgotten(p.W.Isolate(name)), func() {
		p.Log.Undo(e)
		p.typed = ""
		p.storage.save()
		p.list.refresh(false)
	})
}
