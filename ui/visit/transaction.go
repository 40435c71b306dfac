package visit

import (
	"bytes"
	"errors"
	"maps"
	"slices"

	"github.com/pmlam/pmlam/ui/keep"
)

// Keys of the stored visit. Each version of the encoding has its own, so an earlier program still finds its state when
// an update falls back to it.
const (
	StateKey = "state-2"   // the visitor: an encoded keep.Ledger
	OtherKey = "other-2"   // the second person: the same, with a name
	AsideKey = "set-aside" // unreadable states: MessagePack binaries, one after the other

	FirstKey      = "state"         // written by program 0.1.0; kept until the visit after the one that took it over
	FirstAsideKey = "state-damaged" // unreadable states of program 0.1.0
)

// Keys returns the keys of a transaction, in the order of Run's values.
func Keys() []string { return []string{StateKey, OtherKey, AsideKey, FirstKey, FirstAsideKey} }

// Transaction merges this tab's events into the stored state and records the result. Since a tab stores only its
// events, it cannot bring back marks that were erased in another tab.
type Transaction struct {
	log      *Log // for its catalogue, which does not change
	epoch    int
	people   [People]person // pending events, and the state that was read last
	settings keep.Settings  // this tab has set those that differ from the stored ones
	other    string         // the second person's name; "": nobody
	forget   bool           // the stored second person is somebody else
	forgets  int
	began    bool

	result         [People]keep.Ledger
	out            [People][]byte
	aside          int
	damaged, newer bool // a stored state could not be read
}

// Begin returns a transaction that stores all events so far.
func (l *Log) Begin() *Transaction {
	return &Transaction{log: l, epoch: l.epoch, people: l.people, settings: l.Settings, other: l.Other,
		forget: l.forgets > l.forgotten, forgets: l.forgets, began: l.Began}
}

// Run merges the events into the values of Keys; a missing key has the value nil. It reads no part of the log that
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

// encode writes the results into the values. Empty states are not stored.
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
		values[3] = nil // it was empty too
	}
	return nil
}

// second merges the second person's events. They are stored if the person has a name. If another tab has removed the
// person, so does this one.
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

// Outcome lists the changes made by a committed transaction.
type Outcome struct {
	Damaged, Newer bool // a stored state could not be read: it is damaged, or of a newer version
	Marks          bool // either person's marks changed
	Person         bool // the second person was renamed or removed
	Returned       bool // the second person's page was shown, and they were removed
}

// Commit takes in the result of a transaction, which must not be stale.
func (l *Log) Commit(t *Transaction) (o Outcome) {
	o.Damaged, o.Newer = t.damaged, t.newer
	before := [People]Marks{*l.Now(), *l.Partner()}
	l.Aside, l.Began, l.forgotten, l.Bytes = t.aside, true, t.forgets, 0
	renamed := l.Other != t.other // during the transaction
	for who := range l.people {
		if who == 1 && l.forgets > l.forgotten {
			continue // removed during the transaction
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
			before = [People]Marks{*l.MarksOf(0), *l.MarksOf(1)}
		}
	}
	settings := t.result[0].Settings
	settings.Patch(&t.settings, &l.Settings) // settings changed during the transaction
	l.Settings = settings
	o.Marks = !before[0].same(l.Now()) || !before[1].same(l.Partner())
	return o
}

// same reports whether both have the same lists and, of this catalogue's titles, the same details.
func (m *Marks) same(o *Marks) bool {
	return m.State.Same(&o.State) && maps.Equal(m.Details, o.Details)
}

// Erase deletes all events of both people. With settings, the settings stay, except for the name and the picks.
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
