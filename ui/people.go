package ui

import (
	"slices"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/vugu/vugu"
)

// people is how many people's taste is kept: the visitor's own, and that of a second person who chooses here too.
//
// The page is always that of one of them, Who: what is liked, searched, imported and opened from a backup is theirs. What the
// other said is at hand for what suits both (TogetherView). After a reload the page is the visitor's own again.
const people = 2

// People is where the page learns of a second person, and whose taste it goes by.
type People struct {
	P *Page
}

// other names the second person within a sentence.
func (c *People) other() string { return c.P.W.isolate(c.P.Other) }

func (c *People) typed(e vugu.DOMEvent) { c.P.typed = e.PropString("target", "value") }

// asks tells whether the page asks for a name: of a second person, or of whoever's page it is.
func (c *People) asks() bool { return c.P.Other == "" || c.P.Naming }

// question is what it asks.
func (c *People) question() string {
	if c.P.Other != "" && c.P.Who == 0 {
		return c.P.W.YourName
	}
	return c.P.W.PersonName
}

// renames is what the button is called that has the page ask, or ask no longer.
func (c *People) renames() string {
	switch {
	case c.P.Naming:
		return c.P.W.Close
	case c.P.Who == 0:
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
	both := c.P.visits()
	switch {
	case c.P.Other == "":
		return ""
	case len(both[1].Likes) == 0:
		return w.PickFor(c.other())
	case len(both[0].Likes) == 0:
		return w.PickForYou
	}
	return w.BothSaid(c.other(), len(both[0].Likes), len(both[1].Likes))
}

// marksOfOther returns what the other of the two said.
func (p *Page) marksOfOther() State {
	if p.Other == "" && p.Who == 0 {
		return State{}
	}
	s := p.keeper.books[1-p.Who].state()
	s.Settings = Settings{}
	return s
}

// join takes a second person in, of whom that is known, without changing whose page it is.
func (p *Page) join(name string, said []keep.Entry) {
	p.part() // what may still be stored is of somebody else
	p.Other, p.typed = name, ""
	p.keeper.books[1].pending = said
}

// part takes the second person out.
func (p *Page) part() {
	p.setOther("")
	p.keeper.books[1] = book{stored: keep.New()}
	p.keeper.forgets++
}

// Add has a second person choose here too, of that name, and makes the page theirs, so that they can say what they like.
func (p *Page) Add(name string) {
	if name = keep.Called(name); name == "" || p.Other != "" {
		return
	}
	p.join(name, nil)
	p.Become(1)
}

// AddWith is Add of somebody of whom it is known already what they like, as a link or a file says: the page stays the
// visitor's own, and shows what suits both.
func (p *Page) AddWith(name string, marks State) {
	if name = keep.Called(name); name == "" || p.Other != "" {
		return
	}
	p.join(name, nil)
	p.write(1, &State{}, &marks)
	p.derive()
	p.save()
	p.Go(View{Kind: TogetherView})
	p.refresh(true) // also where that is shown already
	focus("#next")
}

// AskName asks what whoever's page it is would be called, or no longer.
func (p *Page) AskName() {
	p.Naming = !p.Naming
	p.typed = p.State.Settings.Person
	if p.Who == 1 {
		p.typed = p.Other
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
	if p.Who == 1 {
		p.Other = name
	} else {
		p.State.Settings.Person = name
	}
	p.Naming, p.typed = false, ""
	p.feed.dirty |= feedMarks
	p.announce(fill(p.W.NowCalled, p.W.isolate(name)))
	p.save()
	focus(`[data-key="rename"]`)
}

// Become makes the page that of one of the two.
func (p *Page) Become(who int) {
	if who == p.Who || who == 1 && p.Other == "" {
		return
	}
	p.note()
	p.Who = who
	p.show()
	said := p.W.NowYou
	if who == 1 {
		said = p.W.NowChoosing(p.W.isolate(p.Other))
	}
	p.announce(said)
	p.save()
	focus("#next")
}

// show brings the page to what whoever it is of has said.
func (p *Page) show() {
	settings := p.State.Settings
	now := p.keeper.books[p.Who].state()
	now.Settings = settings
	p.State, p.keeper.books[p.Who].said = now, now
	p.Undo, p.Opened, p.Instead, p.Taste = nil, nil, nil, nil
	p.Naming, p.typed = false, ""
	p.forgetImport()
	p.Shown, p.Why, p.Widest = pageSize, -1, 0
	p.derive()
	p.refresh(false)
}

// Called names one of the two.
func (p *Page) Called(who int) string {
	if who == 1 {
		return p.Other
	}
	return or(p.State.Settings.Person, p.W.You)
}

// Forget forgets the second person. It can be undone for a while.
func (p *Page) Forget() {
	p.note()
	was, name := p.keeper.books[1].ledger().Entries, p.Other
	p.part()
	p.derive()
	if p.View.Kind == TogetherView {
		p.Go(View{})
	}
	p.save()
	p.offer(&Undo{Text: p.W.Forgotten(p.W.isolate(name)), back: func() {
		if p.Other == "" {
			p.join(name, was)
			p.derive()
			p.save()
			p.refresh(false)
		}
	}})
}

// setOther takes in what the second person is called; where there is none any more, the page is the visitor's own.
func (p *Page) setOther(name string) {
	if p.Other != name {
		p.feed.dirty |= feedMarks
	}
	p.Other = name
	if name == "" && p.Who == 1 {
		p.Who = 0
		p.show()
	}
}

// visits are what the visitor and the second person said, in that order.
func (p *Page) visits() [people]recommend.Visit {
	both := [people]recommend.Visit{p.Visit, p.Others}
	if p.Who == 1 {
		slices.Reverse(both[:])
	}
	return both
}

// Together tells whether there is what it takes to look for what suits both.
func (p *Page) Together() bool {
	return p.Other != "" && len(p.Visit.Likes) > 0 && len(p.Others.Likes) > 0
}
