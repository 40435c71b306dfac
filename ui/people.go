package ui

import (
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/vugu/vugu"
)

// People is where a second person is named, and where it is chosen whose page it is.
//
// The page is always that of one of the two, Log.Who: what is liked, imported and opened from a backup is theirs. The marks of
// the other count for what suits both (TogetherView). After a reload the page is the visitor's own again.
type People struct {
	P *Page
}

// other names the second person within a sentence.
func (c *People) other() string { return c.P.W.isolate(c.P.Log.Other) }

func (c *People) typed(e vugu.DOMEvent) { c.P.typed = e.PropString("target", "value") }

// asks tells whether the page asks for a name: of a second person, or of whoever's page it is.
func (c *People) asks() bool { return c.P.Log.Other == "" || c.P.Naming }

// question is what it asks.
func (c *People) question() string {
	if c.P.Log.Other != "" && c.P.Log.Who == 0 {
		return c.P.W.YourName
	}
	return c.P.W.PersonName
}

// renames is what the button is called that has the page ask, or ask no longer.
func (c *People) renames() string {
	switch {
	case c.P.Naming:
		return c.P.W.Close
	case c.P.Log.Who == 0:
		return c.P.W.YourName
	}
	return fill(c.P.W.Rename, c.other())
}

// named takes what was typed for an answer.
func (c *People) named(e vugu.DOMEvent) {
	e.PreventDefault()
	name := c.P.typed
	switch r := c.P.Received; {
	case keep.Called(name) == "":
		focus("#person")
	case c.P.Naming:
		c.P.Rename(name)
	case r != nil && r.Joining:
		c.P.forgetReceived()
		c.P.AddWith(name, State{Likes: r.Taste.Likes, Dislikes: r.Taste.Dislikes})
	default:
		c.P.Add(name)
	}
}

// note says whose taste is shown, and what is missing to look for both.
func (c *People) note() string {
	w := c.P.W
	yours, theirs := len(c.P.Log.Of(0).Visit.Likes), len(c.P.Log.Of(1).Visit.Likes)
	switch {
	case c.P.Log.Other == "":
		return ""
	case theirs == 0:
		return w.PickFor(c.other())
	case yours == 0:
		return w.PickForYou
	}
	return w.BothSaid(c.other(), yours, theirs)
}

// Add has a second person choose here too, of that name, and makes the page theirs, so that they can say what they like.
func (p *Page) Add(name string) {
	if name = keep.Called(name); name == "" || p.Log.Other != "" {
		return
	}
	p.Log.Join(name, nil)
	p.typed = ""
	p.Become(1)
}

// AddWith is Add of somebody of whom it is known already what they like, as a link or a file says: the page stays the
// visitor's own, and shows what suits both.
func (p *Page) AddWith(name string, marks State) {
	if name = keep.Called(name); name == "" || p.Log.Other != "" {
		return
	}
	p.Log.JoinWith(name, &marks)
	p.typed = ""
	p.save()
	p.Go(View{Kind: TogetherView})
	p.refresh(true) // also where that is shown already
	focus("#next")
}

// AskName asks what whoever's page it is would be called, or no longer.
func (p *Page) AskName() {
	p.Naming = !p.Naming
	p.typed = p.Log.Settings.Person
	if p.Log.Who == 1 {
		p.typed = p.Log.Other
	}
	if p.Naming {
		focus("#person")
	}
}

// Rename gives whoever's page it is that name.
func (p *Page) Rename(name string) {
	if name = keep.Called(name); name == "" {
		return
	}
	p.Log.Rename(name)
	p.Naming, p.typed = false, ""
	p.feed.dirty |= feedMarks
	p.announce(fill(p.W.NowCalled, p.W.isolate(name)))
	p.save()
	focus(`[data-key="rename"]`)
}

// Become makes the page that of one of the two.
func (p *Page) Become(who int) {
	if who == p.Log.Who || who == 1 && p.Log.Other == "" {
		return
	}
	p.Log.Become(who)
	p.show()
	said := p.W.NowYou
	if who == 1 {
		said = p.W.NowChoosing(p.W.isolate(p.Log.Other))
	}
	p.announce(said)
	p.save()
	focus("#next")
}

// show brings the page to what whoever it is of has said.
func (p *Page) show() {
	p.Undo, p.Opened, p.Instead, p.Taste = nil, nil, nil, nil
	p.Naming, p.typed = false, ""
	p.forgetImport()
	p.Shown, p.Why, p.Widest = pageSize, -1, 0
	p.feed.dirty |= feedMarks
	p.refresh(false)
}

// Called names one of the two.
func (p *Page) Called(who int) string {
	if who == 1 {
		return p.Log.Other
	}
	return or(p.Log.Settings.Person, p.W.You)
}

// Forget removes the second person. It can be undone for a while.
func (p *Page) Forget() {
	who, name := p.Log.Who, p.Log.Other
	e := p.Log.Part()
	p.feed.dirty |= feedMarks
	if who == 1 {
		p.show()
	}
	if p.View.Kind == TogetherView {
		p.Go(View{})
	}
	p.save()
	p.offer(&Undo{Text: p.W.Forgotten(p.W.isolate(name)), back: func() {
		p.Log.Undo(e)
		p.typed = ""
		p.save()
		p.refresh(false)
	}})
}
