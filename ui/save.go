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
	store   Store
	clock   keep.Clock
	said    State        // State as it was last looked at: what differs was said since
	pending []keep.Entry // said, and not yet stored
	stored  keep.Ledger  // what the store holds, as far as this tab knows
	raw     []byte       // the same as bytes
	visits  bool         // the store has answered: what version 1 left behind can go

	busy, dirty bool // a goroutine is at it; there is more to do
	erase       erasing
	epoch       int // counts erasures: what was begun before one is dropped
	failures    int // in a row
	aside       int // bytes that could not be read
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
	k := &p.keeper
	now := uint64(time.Now().UnixMilli())
	for _, c := range keep.Changes(&k.said, &p.State) {
		e := keep.Entry{ID: c.ID, Mark: c.Mark, At: k.clock.Tick(now)}
		p.name(&e)
		k.pending = append(k.pending, e)
	}
	k.said = p.State
}

// name writes down what the catalogue, or else what is stored, calls the title.
func (p *Page) name(e *keep.Entry) {
	if i, ok := p.index[e.ID]; ok {
		it := p.Item(i)
		e.Title, e.Year = keep.Shorten(it.Title), uint16(min(max(it.Year, 0), 65535))
		return
	}
	for i := range p.keeper.stored.Entries {
		if o := &p.keeper.stored.Entries[i]; o.ID == e.ID {
			e.Title, e.Year = o.Title, o.Year
		}
	}
}

// ledger returns what is stored and what is pending, as one.
func (p *Page) ledger() keep.Ledger {
	l := p.keeper.stored
	l.Version = keep.Version
	l.Merge(p.keeper.pending)
	l.Settings = p.State.Settings
	return l
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
	p.background(func() {
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
				page: p, epoch: k.epoch, pending: k.pending, known: k.stored, raw: k.raw, visits: k.visits,
				before: k.stored.Settings, after: p.State.Settings,
			}
			p.env.UnlockOnly()
			err := k.store.Update([]string{StateKey, AsideKey, firstKey, firstAsideKey}, job.run)
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
	page          *Page
	epoch         int
	pending       []keep.Entry
	known         keep.Ledger // what raw says
	raw           []byte
	before, after Settings // those that differ were set here
	visits        bool

	result         keep.Ledger
	out            []byte
	aside          int
	damaged, newer bool // what was there could not be read
}

// run merges what this tab has to add into what is stored. The catalogue is all that it looks at of the page.
func (j *job) run(values [][]byte) error {
	state, aside, first, firstAside := values[0], values[1], values[2], values[3]
	j.result, j.damaged, j.newer = keep.New(), false, false
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
	switch {
	case state == nil:
	case bytes.Equal(state, j.raw):
		j.result = j.known
	default:
		l, ok := read(state)
		if j.result = l; !ok {
			state = nil
		}
	}
	if first != nil {
		old, ok := read(first)
		if j.page.nameAll(old.Entries); state == nil {
			j.result.Settings = old.Settings
		}
		j.result.Merge(old.Entries)
		if !ok || state != nil && !j.visits {
			values[2] = nil
		}
	}
	if firstAside != nil {
		setAside(firstAside)
		values[3] = nil
	}
	j.result.Merge(j.pending)
	j.result.Settings.Patch(&j.before, &j.after)
	values[1] = aside
	j.aside = len(aside)
	j.out = nil
	if state != nil || len(j.result.Entries) > 0 || !j.result.Settings.Same(&Settings{}) {
		b, err := j.result.Encode()
		if err != nil {
			return err
		}
		j.out = b
	}
	if j.out == nil {
		values[2] = nil // there was nothing in it either
	}
	values[0] = j.out
	return nil
}

// nameAll names the titles that the catalogue knows. It may be called without the render lock.
func (p *Page) nameAll(entries []keep.Entry) {
	for i := range entries {
		if _, known := p.index[entries[i].ID]; known {
			p.name(&entries[i])
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
	k.stored, k.raw, k.aside, k.visits = j.result, j.out, j.aside, true
	k.pending = append([]keep.Entry(nil), k.pending[len(j.pending):]...)
	k.clock.Saw(k.stored.Entries)
	p.Bytes, p.Aside = len(j.out), j.aside
	settings := j.result.Settings
	settings.Patch(&j.after, &p.State.Settings) // those that were set while it was stored
	if t, ok := shownTheme(); ok && !began && t != settings.Theme {
		settings.Theme = t // page.js keeps the colours too, and is quicker: a page left at once may not have stored them
		k.dirty = true
	}
	if tag, ok := chosenLanguage(); ok && !began && tag != settings.Language {
		settings.Language = tag // words.js keeps it too
		k.dirty = true
	}
	l := k.stored
	l.Merge(k.pending)
	now := l.State()
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
	p.State, p.keeper.said = now, now
	marks, settings := !was.Same(&now), !was.Settings.Same(&now.Settings)
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
		time.Sleep(time.Second << min(turn, 8)) // from two seconds to four minutes
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
