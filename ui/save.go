package ui

import (
	"bytes"
	"errors"
	"slices"
	"time"

	"github.com/tinylib/msgp/msgp"

	"github.com/pmlam/pmlam/ui/keep"
)

// keeper stands between the page's State and the store. What the visitor does becomes entries, which are pending until
// the store has committed them together with whatever other tabs have written meanwhile; what then is stored is shown.
// So a tab never writes what it only remembers, and what was erased elsewhere does not come back. Its fields are guarded
// by the render lock.
type keeper struct {
	store              Store
	clock              keep.Clock
	books              [people]book
	forgets, forgotten int  // how often a second person was to be forgotten, and how often the store has done so
	visits             bool // the store has answered: what version 1 left behind can go

	busy, dirty bool // a goroutine is at it; there is more to do
	erase       erasing
	epoch       int // counts erasures: what was begun before one is dropped
	failures    int // in a row
	aside       int // bytes that could not be read
}

// book is what is kept of one person.
type book struct {
	said    State        // as it was last looked at: what differs was said since
	pending []keep.Entry // said, and not yet stored
	stored  keep.Ledger  // what the store holds, as far as this tab knows
	raw     []byte       // the same as bytes
}

// ledger is what is stored and what is pending, as one.
func (b *book) ledger() keep.Ledger {
	l := b.stored
	l.Merge(b.pending)
	return l
}

// state is the same, as the page works with it.
func (b *book) state() State {
	l := b.ledger()
	return l.State()
}

// erasing is what is to be erased before anything else is written.
type erasing uint8

const (
	eraseNothing erasing = iota
	eraseSaid            // what the visitor said
	eraseAll             // and the settings, and the copy of the page for use without a network
)

// save keeps the present state, in the background. A failure is told, the page goes on, and it is tried again.
func (p *Page) save() {
	p.note()
	p.sync()
}

// note turns what was said since the last time into entries.
func (p *Page) note() {
	said := &p.keeper.books[p.Who].said
	p.write(p.Who, said, &p.State)
	*said = p.State
}

// write turns what differs between two states of one of the two into entries of theirs.
func (p *Page) write(who int, before, after *State) {
	b := &p.keeper.books[who]
	now := uint64(time.Now().UnixMilli())
	for _, c := range keep.Changes(before, after) {
		e := keep.Entry{ID: c.ID, Mark: c.Mark, At: p.keeper.clock.Tick(now)}
		p.name(&e, b.stored.Entries)
		b.pending = append(b.pending, e)
	}
}

// name writes down what the catalogue, or else one of the entries, calls the title.
func (p *Page) name(e *keep.Entry, entries []keep.Entry) {
	if i, ok := p.index[e.ID]; ok {
		it := p.Item(i)
		e.Title, e.Year = keep.Shorten(it.Title), uint16(min(max(it.Year, 0), 65535))
		return
	}
	for i := range entries {
		if o := &entries[i]; o.ID == e.ID {
			e.Title, e.Year = o.Title, o.Year
		}
	}
}

// sync brings page and store together, in the background: once, however often it is called meanwhile.
func (p *Page) sync() {
	p.keeper.dirty = true
	p.work()
}

// work does what the keeper has to do, if nobody is at it.
func (p *Page) work() {
	k := &p.keeper
	if k.busy || k.store == nil {
		return
	}
	k.busy = true
	pending := len(k.books[p.Who].pending)
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
			job := &job{
				page: p, epoch: k.epoch, books: k.books, visits: k.visits, after: p.State.Settings, other: p.Other, forgets: k.forgets, forget: k.forgets > k.forgotten,
			}
			p.env.UnlockOnly()
			err := k.store.Update([]string{StateKey, OtherKey, AsideKey, firstKey, firstAsideKey}, job.run)
			if job.visits {
				painted() // the list that a like brings goes first
			}
			p.env.Lock()
			if job.epoch == k.epoch {
				p.kept(job, err)
			}
		}
		k.busy = false
		p.Ready = true
		p.env.UnlockRender()
	})
}

// job is one transaction: what this tab has to add, and what came of it.
type job struct {
	page    *Page
	epoch   int
	books   [people]book // what is pending, and what their bytes say
	after   Settings     // those that differ from the first book's were set here
	other   string       // what the second person is called; "": there is none
	forget  bool         // whoever was stored as the second person is another one
	forgets int
	visits  bool

	result         [people]keep.Ledger
	out            [people][]byte
	aside          int
	damaged, newer bool // what was there could not be read
}

// run merges what this tab has to add into what is stored. The catalogue is all that it looks at of the page.
func (j *job) run(values [][]byte) error {
	aside, first, firstAside := values[2], values[3], values[4]
	j.damaged, j.newer = false, false
	setAside := func(b []byte) { aside = msgp.AppendBytes(slices.Clip(aside), b) }
	read := func(b []byte) (keep.Ledger, bool) {
		l, err := keep.Decode(b)
		if err == nil {
			return l, true
		}
		j.damaged, j.newer = true, errors.Is(err, keep.ErrNewer)
		setAside(b)
		return keep.New(), false
	}
	there := [people]bool{values[0] != nil, values[1] != nil && !j.forget}
	for who, b := range j.books {
		j.result[who] = keep.New()
		switch {
		case !there[who]:
		case bytes.Equal(values[who], b.raw):
			j.result[who] = b.stored
		default:
			j.result[who], there[who] = read(values[who])
		}
	}
	own := &j.result[0]
	if first != nil {
		old, ok := read(first)
		if j.page.nameAll(old.Entries); !there[0] {
			own.Settings = old.Settings
		}
		own.Merge(old.Entries)
		if !ok || there[0] && !j.visits {
			values[3] = nil
		}
	}
	if firstAside != nil {
		setAside(firstAside)
		values[4] = nil
	}
	own.Merge(j.books[0].pending)
	own.Settings.Patch(&j.books[0].stored.Settings, &j.after)
	j.second(there[1])
	values[2] = aside
	j.aside = len(aside)
	for who := range j.result {
		l := &j.result[who]
		j.out[who] = nil
		if there[who] && who == 0 || len(l.Entries) > 0 && who == 0 || !l.Settings.Same(&Settings{}) {
			b, err := l.Encode()
			if err != nil {
				return err
			}
			j.out[who] = b
		}
		values[who] = j.out[who]
	}
	if j.out[0] == nil {
		values[3] = nil // there was nothing in it either
	}
	return nil
}

// second merges what this tab has to add of the second person, of whom there is what has a name. Where another tab has
// forgotten them, so does this one.
func (j *job) second(there bool) {
	b, l := &j.books[1], &j.result[1]
	if !there && !j.forget && b.raw != nil {
		*l = keep.New()
		return
	}
	l.Merge(b.pending)
	before := b.stored.Settings
	if j.forget {
		before = Settings{}
	}
	l.Settings.Patch(&before, &Settings{Person: j.other})
	if l.Settings.Person == "" {
		*l = keep.New()
	}
}

// nameAll names the titles that the catalogue knows. It may be called without the render lock.
func (p *Page) nameAll(entries []keep.Entry) {
	for i := range entries {
		if _, known := p.index[entries[i].ID]; known {
			p.name(&entries[i], nil)
		}
	}
}

// kept takes in what came of a job.
func (p *Page) kept(j *job, err error) {
	k := &p.keeper
	if err != nil {
		p.failed(err)
		return
	}
	k.failures = 0
	switch {
	case j.newer:
		p.notice(noticeNewer)
	case j.damaged:
		p.notice(noticeDamaged)
	}
	if p.noticed >= noticeBlocked && p.noticed <= noticeErase {
		p.notice(noticeNone)
		p.announce(p.W.StoredAgain)
	}
	p.note()
	began := k.visits
	k.aside, k.visits, k.forgotten = j.aside, true, j.forgets
	p.Bytes, p.Aside = 0, j.aside
	renamed := p.Other != j.other // while it was stored
	for who := range k.books {
		if who == 1 && k.forgets > k.forgotten {
			continue // somebody who is forgotten since
		}
		b := &k.books[who]
		b.stored, b.raw = j.result[who], j.out[who]
		b.pending = append([]keep.Entry(nil), b.pending[len(j.books[who].pending):]...)
		k.clock.Saw(b.stored.Entries)
		p.Bytes += len(j.out[who])
	}
	if !renamed {
		p.setOther(k.books[1].stored.Settings.Person)
	}
	settings := j.result[0].Settings
	settings.Patch(&j.after, &p.State.Settings) // those that were set while it was stored
	if t, ok := shownTheme(); ok && !began && t != settings.Theme {
		settings.Theme = t // page.js keeps the colours too, and is quicker: a page left at once may not have stored them
		k.dirty = true
	}
	if tag, ok := chosenLanguage(); ok && !began && tag != settings.Language {
		settings.Language = tag // words.js keeps it too
		k.dirty = true
	}
	now := k.books[p.Who].state()
	now.Settings = settings
	p.adopt(now)
	if began && len(p.State.Likes) >= wanted && !p.State.Settings.Asked {
		// There is something to lose now, and the visitor is here: a good moment, once.
		p.State.Settings.Asked = true
		k.dirty = true
		p.persist()
		return
	}
	p.figures()
}

// adopt shows what is stored, where that is not what is shown.
func (p *Page) adopt(now State) {
	was := p.State
	p.State, p.keeper.books[p.Who].said = now, now
	others := p.marksOfOther()
	marks, settings := !was.Same(&now) || !others.Same(&p.others), !was.Settings.Same(&now.Settings)
	p.look(&was.Settings)
	if settings {
		p.feed.dirty |= feedDim | feedDistances
	}
	if marks {
		p.derive()
	}
	if marks || settings {
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
			p.sync()
		}
		p.env.UnlockOnly()
	}()
}

// heard is called when another tab has changed or erased what is kept, or may have.
func (p *Page) heard(erased bool) {
	p.env.Lock()
	defer p.env.UnlockRender()
	if !erased {
		p.sync()
		return
	}
	p.forgetAll(false)
	if p.keeper.busy {
		p.sync() // what is being stored may come after it
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
