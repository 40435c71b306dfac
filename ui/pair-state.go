package ui

import (
	"slices"

	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/visit"
)

// PairState is the question which of two titles the visitor likes better. The title that they name becomes a like, as
// in the study of such questions (core/lab/docs/uncertainty.md); the other one, and both where they like neither, are
// not asked about again. It is asked again when it is answered, never while it stands.
type PairState struct {
	*Session
	marking *Marking
	list    *ListState

	Titles   []int // the two; nil: nothing is asked
	answered bool  // they stand until there are two others, so that what has the focus keeps it
	skipped  []int // put off, until the page is opened again
}

// Shown reports whether the question is shown: beside the visitor's own list, and before there is one.
func (p *PairState) Shown() bool {
	return p.Ready && len(p.Titles) > 0 && p.list.View.Kind == OwnView && !p.list.Borrowing()
}

// ask thinks of a question where none stands, once it is known what was kept. It is called without the render lock,
// when nothing waits for the engine.
func (p *PairState) ask() {
	p.env.Lock()
	stands := len(p.Titles) > 0 && !p.answered && p.Mark(p.Titles[0]) == Unmarked && p.Mark(p.Titles[1]) == Unmarked
	if stands || !p.Ready {
		p.env.UnlockOnly()
		return
	}
	now, taste, turn := p.Log.Now(), p.list.Taste, p.list.turn.Load()
	v := now.Visit
	v.Seen = slices.Concat(v.Seen, now.Items[Unmarked], p.skipped)
	p.env.UnlockOnly()
	browser.NextTurn()
	if taste == nil {
		taste = p.Engine.Taste(now.Visit, nil)
	}
	a, b, ok := p.Engine.Question(v, taste)
	p.env.Lock()
	if p.list.overtaken(turn) {
		p.env.UnlockOnly()
		return
	}
	if p.Titles, p.answered = nil, false; ok {
		p.Titles = []int{a, b}
	}
	p.env.UnlockRender()
}

// Choose takes the answer: one of the two, or neither, which is −1. It can be undone.
func (p *PairState) Choose(i int) {
	if p.answered {
		return
	}
	p.answered = true
	asked, first := p.Titles, p.list.First()
	text := p.W.NeitherOf(p.Titled(asked[0]), p.Titled(asked[1]))
	p.Log.Pass(p.Item(asked[0]).ID, p.Item(asked[1]).ID)
	var e visit.Event
	if i >= 0 {
		e = p.Log.Mark(keep.Change{ID: p.Item(i).ID, Mark: LikedIt})
		text = p.W.Liked(p.W.Isolate(p.Item(i).Title))
	}
	p.marking.offer.offer(text, func() {
		p.Titles, p.answered = asked, false
		p.marking.undo(e)
	})
	p.marking.changed()
	if first && !p.list.First() {
		browser.Focus("#next")
	}
}

// Skip asks about two others, until the page is opened again.
func (p *PairState) Skip() {
	if p.answered {
		return
	}
	p.skipped, p.answered = append(p.skipped, p.Titles...), true
	p.background(p.ask)
}
