package ui

import (
	"errors"
	"time"

	"github.com/pmlam/pmlam/ui/visit"
)

// keeper brings the log and the store together. An event is pending in the log until the store has committed it together
// with whatever other tabs have written meanwhile; what then is stored is shown. Its fields are guarded by the render lock.
type keeper struct {
	store       Store
	busy, dirty bool // a goroutine is at work; there is more to do
	erase       erasing
	failures    int // in a row
}

// erasing is what is to be erased before anything else is written.
type erasing uint8

const (
	eraseNothing erasing = iota
	eraseMarks           // what was marked
	eraseAll             // and the settings, and the copy of the page for use without a network
)

// save stores the log, in the background: once, however often it is called meanwhile. A failure is told, the page goes on,
// and it is tried again.
func (p *Page) save() {
	p.keeper.dirty = true
	p.work()
}

// work does what the keeper has to do, if no goroutine is at it.
func (p *Page) work() {
	k := &p.keeper
	if k.busy || k.store == nil {
		return
	}
	k.busy = true
	pending := p.Log.Pending()
	p.background(func() {
		if pending > manyMarks {
			breathe()
		}
		p.env.Lock()
		for k.dirty || k.erase != eraseNothing {
			k.dirty = false
			if what := k.erase; what != eraseNothing {
				p.env.UnlockOnly()
				err := k.store.Erase()
				if what == eraseAll {
					forget()
				}
				p.env.Lock()
				p.erased(what, err)
				continue
			}
			t, began := p.Log.Begin(), p.Log.Began
			p.env.UnlockOnly()
			err := k.store.Update(visit.Keys(), t.Run)
			if began {
				painted() // the list that a like brings goes first
			}
			p.env.Lock()
			p.kept(t, err)
		}
		k.busy = false
		p.Ready = true
		p.env.UnlockRender()
	})
}

// kept takes in what came of a transaction, and shows what is stored where that is not what is shown.
func (p *Page) kept(t *visit.Transaction, err error) {
	k := &p.keeper
	switch {
	case p.Log.Stale(t):
		return
	case err != nil:
		p.failed(err)
		return
	}
	was, began := p.Log.Settings, p.Log.Began
	o := p.Log.Commit(t)
	k.failures = 0
	switch {
	case o.Newer:
		p.notice(noticeNewer)
	case o.Damaged:
		p.notice(noticeDamaged)
	}
	if p.noticed >= noticeBlocked && p.noticed <= noticeErase {
		p.notice(noticeNone)
		p.announce(p.W.StoredAgain)
	}
	if !began {
		p.takeScriptsSettings()
	}
	p.adopt(o, &was)
	if began && len(p.Log.Now().Likes) >= wanted && !p.Log.Settings.Asked {
		// There is something to lose now, and the visitor is here: a good moment, once.
		p.Log.Settings.Asked = true
		k.dirty = true
		p.persist()
		return
	}
	p.figures()
}

// takeScriptsSettings takes over the colours and the language that the page's scripts keep too: they are quicker, and a page
// that is left at once may not have stored them.
func (p *Page) takeScriptsSettings() {
	if t, ok := shownTheme(); ok && t != p.Log.Settings.Theme {
		p.Log.Settings.Theme = t
		p.keeper.dirty = true
	}
	if tag, ok := chosenLanguage(); ok && tag != p.Log.Settings.Language {
		p.Log.Settings.Language = tag
		p.keeper.dirty = true
	}
}

// adopt shows what a transaction has changed.
func (p *Page) adopt(o visit.Outcome, was *Settings) {
	if o.Person {
		p.feed.dirty |= feedMarks
	}
	if o.Returned {
		p.show()
	}
	settings := !was.Same(&p.Log.Settings)
	p.look(was)
	if settings {
		p.feed.dirty |= feedDim | feedDistances
	}
	if o.Marks || settings {
		p.refresh(false)
	}
}

// failed says that nothing can be kept now, and tries again later.
func (p *Page) failed(err error) {
	k := &p.keeper
	k.failures++
	type noRoom interface {
		error
		NoRoom()
	}
	if _, full := errors.AsType[noRoom](err); full {
		p.notice(noticeFull)
	} else {
		p.notice(noticeBlocked)
	}
	turn := k.failures
	go func() { // not counted by Wait: nothing depends on it
		time.Sleep(time.Second << min(turn, 4)) // from two seconds to sixteen
		p.env.Lock()
		if k.failures == turn {
			p.save()
		}
		p.env.UnlockOnly()
	}()
}

// changedElsewhere is called when another tab has changed or erased what is stored, or may have.
func (p *Page) changedElsewhere(erased bool) {
	p.env.Lock()
	defer p.env.UnlockRender()
	if !erased {
		p.save()
		return
	}
	p.forgetAll(false)
	if p.keeper.busy {
		p.save() // what is being stored may come after it
	}
	p.announce(p.W.Erased)
}

// noticed says what a notice is about: it goes when that has passed.
type noticed uint8

const (
	noticeNone noticed = iota
	noticeBlocked
	noticeFull
	noticeErase
	noticeDamaged
	noticeNewer
)

// notice shows that something went wrong.
func (p *Page) notice(about noticed) {
	w := p.W
	p.noticed = about
	p.Notice = [...]string{"", w.StoreBlocked, w.StoreFull, w.EraseFailed, w.StateDamaged, w.StateNewer}[about]
}
