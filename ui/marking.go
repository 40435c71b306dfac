package ui

import (
	"time"

	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/visit"
)

// undoFor is how long the offer to undo stays on the screen; the lists under Your taste take back anything, any time.
const undoFor = 12 * time.Second

// Toggle gives item i the mark m, or takes that mark away where it has it already. It can be undone.
func (p *Page) Toggle(i int, m Mark) {
	title := p.W.isolate(p.Item(i).Title)
	if p.Log.Now().ByItem[i] == m {
		p.change(i, Unmarked, p.W.Removed(title))
		return
	}
	text := p.W.Liked(title)
	switch m {
	case NotForMe:
		text = p.W.Disliked(title)
	case SeenIt:
		text = p.W.SawIt(title)
	}
	p.change(i, m, text)
}

// Remove takes the mark of item i away.
func (p *Page) Remove(i int) { p.change(i, Unmarked, p.W.Removed(p.W.isolate(p.Item(i).Title))) }

// Pick is Toggle of a like from the first visit's titles: it makes no noise, the pressed title is answer enough.
func (p *Page) Pick(i int) {
	p.Toggle(i, LikedIt)
	p.Undo = nil
	if !p.First() {
		focus("#next") // the invitation has gone, and the title that had the focus with it
	}
}

func (p *Page) change(i int, m Mark, text string) {
	e := p.Log.Mark(keep.Change{ID: p.Item(i).ID, Mark: m})
	p.offerUndo(text, e)
	p.changed()
}

// changed is called after every change of marks: it stores them and asks for new recommendations.
func (p *Page) changed() {
	p.Shown = pageSize
	p.Why = -1
	p.save()
	p.refresh(true)
}

// offerUndo offers to take events back.
func (p *Page) offerUndo(text string, events ...visit.Event) {
	p.offer(&Undo{Text: text, back: func() { p.undo(events) }})
}

// offer shows the offer for a while, and says it.
func (p *Page) offer(u *Undo) {
	p.announce(u.Text)
	p.Undo = u
	if p.env == nil {
		return
	}
	go func() { // not counted by Wait: nothing depends on it
		time.Sleep(undoFor)
		p.env.Lock()
		if p.Undo != u {
			p.env.UnlockOnly()
			return
		}
		p.Undo = nil
		p.env.UnlockRender()
	}()
}

// TakeBack undoes the latest change. What was changed since stays, here or in another tab.
func (p *Page) TakeBack() {
	if p.Undo == nil {
		return
	}
	u := p.Undo
	p.Undo = nil
	u.back()
	p.announce(p.W.Undone)
}

// undo takes events back.
func (p *Page) undo(events []visit.Event) {
	who, was := p.Log.Who, p.Log.Settings
	p.Log.Undo(events...)
	if p.Log.Who != who {
		p.show()
	}
	p.look(&was)
	p.feed.dirty |= feedDim | feedDistances
	p.changed()
}

// DropUndo puts the offer to undo away.
func (p *Page) DropUndo() { p.Undo = nil }
