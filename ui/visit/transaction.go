package visit

import (
	"bytes"
	"errors"
	"slices"

	"github.com/pmlam/pmlam/ui/keep"
)

// The keys under which a visit is stored. Each version of the encoding has a key of its own, so that an earlier
// program, which an update may fall back to, finds what it wrote.
const (
	StateKey = "state-2"   // of the visitor: an encoded keep.Ledger
	OtherKey = "other-2"   // of the second person: the same, with a name
	AsideKey = "set-aside" // what could not be read: MessagePack binaries, one after the other

	FirstKey      = "state"         // what program 0.1.0 wrote, kept until the visit after the one that took it over
	FirstAsideKey = "state-damaged" // what it could not read
)

// Keys are the keys of a transaction, in the order of Run's values.
func Keys() []string { return []string{StateKey, OtherKey, AsideKey, FirstKey, FirstAsideKey} }

// Transaction merges the events of this tab into what is stored, and knows what came of it. So a tab never writes what
// it only remembers, and what was erased in another tab does not come back.
type Transaction struct {
	log      *Log // its catalogue, which does not change
	epoch    int
	people   [People]person // what is pending, and what the bytes that were read last hold
	settings keep.Settings  // those that differ from the stored ones were set in this tab
	other    string         // the second person's name; "": there is none
	forget   bool           // whoever is stored as the second person is another one
	forgets  int
	began    bool

	result         [People]keep.Ledger
	out            [People][]byte
	aside          int
	damaged, newer bool // what was there could not be read
}

// Begin returns the transaction that stores all events up to now.
func (l *Log) Begin() *Transaction {
	return &Transaction{log: l, epoch: l.epoch, people: l.people, settings: l.Settings, other: l.Other,
		forget: l.forgets > l.forgotten, forgets: l.forgets, began: l.Began}
}

// Run merges the events into the values of Keys, nil for a key that has none. It looks at nothing of the log that
// changes, and may be called twice.
func (t *Transaction) Run(values [][]byte) error {
	aside, first, firstAside := values[2], values[3], values[4]
	t.damaged, t.newer = false, false
	setAside := func(b []byte) { aside = keep.AppendBytes(slices.Clip(aside), b) }
	read := func(b []byte) (keep.Ledger, bool) {
		l, err := keep.Decode(b)
		if err == nil {
			return l, true
		}
		t.damaged, t.newer = true, errors.Is(err, keep.ErrNewer)
		setAside(b)
		return keep.New(), false
	}
	stored := [People]bool{values[0] != nil, values[1] != nil && !t.forget}
	for who := range t.people {
		p := &t.people[who]
		t.result[who] = keep.New()
		switch {
		case !stored[who]:
		case bytes.Equal(values[who], p.raw):
			t.result[who] = p.stored
		default:
			t.result[who], stored[who] = read(values[who])
		}
	}
	own := &t.result[0]
	if first != nil {
		old, ok := read(first)
		if t.log.nameAll(old.Entries); !stored[0] {
			own.Settings = old.Settings
		}
		own.Merge(old.Entries)
		if !ok || stored[0] && !t.began {
			values[3] = nil
		}
	}
	if firstAside != nil {
		setAside(firstAside)
		values[4] = nil
	}
	own.Merge(t.people[0].pending)
	own.Settings.Patch(&t.people[0].stored.Settings, &t.settings)
	t.second(stored[1])
	values[2] = aside
	t.aside = len(aside)
	return t.encode(values, stored[0])
}

// encode writes what came of it into the values. What there is nothing of is not stored.
func (t *Transaction) encode(values [][]byte, stored bool) error {
	for who := range t.result {
		l := &t.result[who]
		t.out[who] = nil
		if who == 0 && (stored || len(l.Entries) > 0) || !l.Settings.Same(&keep.Settings{}) {
			b, err := l.Encode()
			if err != nil {
				return err
			}
			t.out[who] = b
		}
		values[who] = t.out[who]
	}
	if t.out[0] == nil {
		values[3] = nil // there was nothing in it either
	}
	return nil
}

// second merges the second person's events. They are stored where they have a name; where another tab has removed them,
// so does this one.
func (t *Transaction) second(stored bool) {
	p, l := &t.people[1], &t.result[1]
	if !stored && !t.forget && p.raw != nil {
		*l = keep.New()
		return
	}
	l.Merge(p.pending)
	before := p.stored.Settings
	if t.forget {
		before = keep.Settings{}
	}
	l.Settings.Patch(&before, &keep.Settings{Person: t.other})
	if l.Settings.Person == "" {
		*l = keep.New()
	}
}

// Outcome is what a committed transaction has changed.
type Outcome struct {
	Damaged, Newer bool // something could not be read, because it is damaged or of a newer version
	Marks          bool // of either of the two
	Person         bool // the second person has another name, or is no longer there
	Returned       bool // the page was the second person's, who is no longer there
}

// Commit takes in what is stored after a transaction, which must not be stale.
func (l *Log) Commit(t *Transaction) (o Outcome) {
	o.Damaged, o.Newer = t.damaged, t.newer
	before := [People]keep.State{l.MarksOf(l.Who).State, l.MarksOf(1 - l.Who).State}
	l.Aside, l.Began, l.forgotten, l.Bytes = t.aside, true, t.forgets, 0
	renamed := l.Other != t.other // while it was stored
	for who := range l.people {
		if who == 1 && l.forgets > l.forgotten {
			continue // somebody who was removed since
		}
		p := &l.people[who]
		p.stored, p.raw = t.result[who], t.out[who]
		p.pending = append([]keep.Entry(nil), p.pending[len(t.people[who].pending):]...)
		l.clock.Saw(p.stored.Entries)
		l.Bytes += len(p.raw)
		l.restore(p)
	}
	if name := l.people[1].stored.Settings.Person; !renamed && name != l.Other {
		o.Person, l.Other = true, name
		o.Returned = name == "" && l.Who == 1
		if o.Returned {
			l.Who = 0
			before = [People]keep.State{l.MarksOf(0).State, l.MarksOf(1).State}
		}
	}
	settings := t.result[0].Settings
	settings.Patch(&t.settings, &l.Settings) // those that were set while it was stored
	l.Settings = settings
	o.Marks = !before[0].Same(&l.Now().State) || !before[1].Same(&l.Partner().State)
	return o
}

// Erase forgets all events, of both; with settings, the settings stay, but for the name.
func (l *Log) Erase(settings bool) {
	l.epoch++
	l.forgotten, l.Aside, l.Bytes = l.forgets, 0, 0
	l.Settings.Person, l.Settings.Picks = "", nil
	if !settings {
		l.Settings = keep.Settings{}
	}
	l.Who, l.Other = 0, ""
	for who := range l.people {
		l.clear(who)
	}
}

// Stale reports whether everything was erased since the transaction began.
func (l *Log) Stale(t *Transaction) bool { return t.epoch != l.epoch }
