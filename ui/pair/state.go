// Package pair asks which of two titles the visitor likes better.
package pair

import (
	"slices"

	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/list"
	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/undo"
)

// State is the question which of two titles the visitor likes better. The chosen title becomes a like, as in the study
// of such questions (core/lab/docs/uncertainty.md). The other one is not offered again, nor are both after "neither".
// The pair stays until it is answered, then a new one follows.
type State struct {
	*store.Store
	list  *list.State
	offer *undo.Offer

	Titles   []int // the pair; nil: none
	answered bool  // the pair stays until there is a new one, so that the focused tile keeps the focus
	skipped  []int // until the page is opened again
}

// New returns the state of a first visit. A pair for one person is not shown to another.
func New(s *store.Store, list *list.State, offer *undo.Offer) *State {
	p := &State{Store: s, list: list, offer: offer}
	s.Subscribe(func(e store.Event) {
		if e.Person || e.Erased {
			p.Titles, p.skipped = nil, nil
		}
	})
	list.WhenIdle(p.ask)
	return p
}

// Shown reports whether the question is shown: with the visitor's own list, and before there is one.
func (p *State) Shown() bool {
	return p.Ready && len(p.Titles) > 0 && p.View().Kind == address.Own && !p.list.Borrowing()
}

// ask finds a pair if none is shown, once the disk has been read. It is called without the render lock, while the
// engine is idle.
func (p *State) ask() {
	p.Tasks.Lock()
	stands := len(p.Titles) > 0 && !p.answered && p.Mark(p.Titles[0]) == keep.Unmarked &&
		p.Mark(p.Titles[1]) == keep.Unmarked
	if stands || !p.Ready {
		p.Tasks.Unlock()
		return
	}
	now, taste, turn := p.Now(), p.list.Taste, p.list.Turn()
	v := now.Visit
	v.Seen = slices.Concat(v.Seen, now.Items[keep.Unmarked], p.skipped)
	p.Tasks.Unlock()
	browser.NextTurn()
	if taste == nil {
		taste = p.Engine.Taste(now.Visit, nil)
	}
	a, b, ok := p.Engine.Question(v, taste)
	p.Tasks.Lock()
	if p.list.Overtaken(turn) {
		p.Tasks.Unlock()
		return
	}
	if p.Titles, p.answered = nil, false; ok {
		p.Titles = []int{a, b}
	}
	p.Tasks.UnlockRender()
}

// Choose takes the answer: one of the two, or −1 for neither. It can be undone.
func (p *State) Choose(i int) {
	if p.answered {
		return
	}
	p.answered = true
	asked, first := p.Titles, p.list.NeedsOnboarding()
	text, id := p.W.NeitherOf(p.Titled(asked[0]), p.Titled(asked[1])), ""
	if i >= 0 {
		text, id = p.W.Liked(p.Named(i)), p.Entry(i).ID
	}
	e := p.Store.Choose(id, p.Entry(asked[0]).ID, p.Entry(asked[1]).ID)
	p.offer.Show(text, func() {
		p.Titles, p.answered = asked, false
		p.Undo(e)
	})
	if first && !p.list.NeedsOnboarding() {
		browser.Focus("#next")
	}
}

// Skip offers two others. The skipped ones do not come back until the page is opened again.
func (p *State) Skip() {
	if p.answered {
		return
	}
	p.skipped, p.answered = append(p.skipped, p.Titles...), true
	p.Tasks.Background(p.ask)
}
