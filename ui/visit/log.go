package visit

import (
	"cmp"
	"slices"
	"time"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/yield"
	"github.com/pmlam/pmlam/ui/keep"
)

// Catalogue is what a Log has to know of the items.
type Catalogue interface {
	Len() int
	Item(i int) *catalogue.Item
	Columns() []string // the names of catalogue.Item.Values
}

// Log is what the visitor and a second person have done, with all that follows from it. Its methods are called by one
// goroutine at a time.
type Log struct {
	Settings keep.Settings // of the page, whoever it is shown for; changed in place, and what differs is stored
	Who      int           // whose page it is: 0 the visitor's own, 1 the second person's
	Other    string        // the second person's name; "": there is none

	Bytes int  // size of what is stored of both
	Aside int  // size of what was stored and could not be read
	Began bool // the store has answered once

	catalogue Catalogue
	now       func() uint64  // milliseconds since 1970
	index     map[string]int // id → item
	clock     keep.Clock
	people    [People]person

	forgets, forgotten int // how often a second person was to be removed, and how often the store has done so
	epoch              int // counts erasures: a transaction that was begun before one is dropped
}

// People is of how many people the marks are kept: of the visitor, and of a second person who chooses here too.
const People = 2

// person is what is kept of one person, and what follows from it.
type person struct {
	stored  keep.Ledger  // what the store holds, as far as this tab knows
	raw     []byte       // the same as bytes
	pending []keep.Entry // events that are not stored yet

	ledger keep.Ledger // stored and pending
	Marks
}

// Marks are what one person has marked. Its slices are made anew at every change, but for ByItem.
type Marks struct {
	keep.State // ids by mark, in the order in which they were marked; without settings
	// for the engine, without the titles that this catalogue does not have; what is kept for later counts as seen: it
	// is not recommended again, and changes nothing else
	Visit   recommend.Visit
	Unknown int // how many those are
	// the same by index and by mark, with those without one that were taken out of all lists or passed over (Log.Pass)
	Items  [len(keep.Marks) + 1][]int
	ByItem []keep.Mark
}

// New returns the log of a first visit. O(I).
func New(c Catalogue) *Log {
	l := &Log{catalogue: c, now: unixMilli, index: make(map[string]int, c.Len())}
	for who := range l.people {
		l.people[who].stored = keep.New()
		l.people[who].ByItem = make([]keep.Mark, c.Len())
	}
	for i := range c.Len() {
		if i&511 == 511 {
			yield.Now()
		}
		l.index[c.Item(i).ID] = i
	}
	return l
}

func unixMilli() uint64 { return uint64(time.Now().UnixMilli()) }

// Item returns the index of the item with that id.
func (l *Log) Item(id string) (i int, known bool) {
	i, known = l.index[id]
	return i, known
}

// Now returns the marks of whoever the page is shown for.
func (l *Log) Now() *Marks { return l.MarksOf(l.Who) }

// Partner returns the marks of the other of the two; they are empty where there is no second person.
func (l *Log) Partner() *Marks { return l.MarksOf(1 - l.Who) }

// MarksOf returns the marks of one of the two.
func (l *Log) MarksOf(who int) *Marks { return &l.people[who].Marks }

// Entries returns what one of the two has marked, by moment.
func (l *Log) Entries(who int) []keep.Entry { return l.people[who].ledger.Entries }

// Pending is how many events of whoever the page is shown for are not stored yet.
func (l *Log) Pending() int { return len(l.people[l.Who].pending) }

// Event is one thing that was done.
type Event struct {
	Who      int
	Marked   []Change
	Settings *SettingsChange // nil: they stayed
	Person   *PersonChange   // nil: the second person stayed
}

// Change is that a title got another mark.
type Change struct {
	ID   string
	Mark keep.Mark
	was  keep.Entry // the zero value: the title had none
}

// SettingsChange is what the settings were and became.
type SettingsChange struct{ Before, After keep.Settings }

// PersonChange is what the second person was called and is called now; "": there was or is none.
type PersonChange struct {
	Before, After string
	entries       []keep.Entry // what they had marked, where they left
}

// Mark gives titles other marks, for whoever the page is shown for. Of an id that is named twice the last change
// counts. O(marks + changes).
func (l *Log) Mark(changes ...keep.Change) Event { return l.mark(l.Who, changes) }

func (l *Log) mark(who int, changes []keep.Change) Event {
	p := &l.people[who]
	now := l.now()
	var entries []keep.Entry
	was := former(p.ledger.Entries, changes, func(c *keep.Change) string { return c.ID })
	for _, k := range l.order(changes) {
		c := &changes[k]
		if was[c.ID].Mark == c.Mark {
			continue
		}
		e := keep.Entry{ID: c.ID, Mark: c.Mark, At: l.clock.Tick(now)}
		l.name(&e, was[c.ID])
		entries = append(entries, e)
	}
	return l.append(who, entries, was)
}

// Pass notes that whoever the page is shown for was asked about titles and chose none of them: titles that were never
// mentioned get an entry without a mark, as those have that were taken out of all lists. O(marks).
func (l *Log) Pass(ids ...string) {
	p := &l.people[l.Who]
	now := l.now()
	var entries []keep.Entry
	was := former(p.ledger.Entries, ids, func(id *string) string { return *id })
	for _, id := range ids {
		if was[id].ID == "" {
			e := keep.Entry{ID: id, At: l.clock.Tick(now)}
			l.name(&e, keep.Entry{})
			entries = append(entries, e)
		}
	}
	l.append(l.Who, entries, was)
}

// order returns the indices of the changes that count, with the titles that lose their mark first, then by
// mark, each in the order in which they were given.
func (l *Log) order(changes []keep.Change) (order []int) {
	last := make(map[string]int, len(changes))
	for k := range changes {
		last[changes[k].ID] = k
	}
	for k := range changes {
		if last[changes[k].ID] == k {
			order = append(order, k)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(changes[a].Mark, changes[b].Mark) })
	return order
}

// append appends entries to one person's events. was are the entries that their titles have.
func (l *Log) append(who int, entries []keep.Entry, was map[string]keep.Entry) Event {
	p := &l.people[who]
	p.pending = append(p.pending, entries...)
	l.clock.Saw(entries)
	p.ledger.Merge(entries)
	l.derive(p)
	e := Event{Who: who}
	is := former(p.ledger.Entries, entries, entryID)
	for k := range entries {
		id := entries[k].ID
		if now := is[id].Mark; now != was[id].Mark {
			e.Marked = append(e.Marked, Change{ID: id, Mark: now, was: was[id]})
		}
	}
	return e
}

// former returns those of the entries that are of the named titles, by id; the zero value for a title without one.
// O(entries + named).
func former[T any](entries []keep.Entry, named []T, id func(*T) string) map[string]keep.Entry {
	out := make(map[string]keep.Entry, len(named))
	for k := range named {
		out[id(&named[k])] = keep.Entry{}
	}
	for i := range entries {
		e := &entries[i]
		if _, asked := out[e.ID]; asked {
			out[e.ID] = *e
		}
	}
	return out
}

func entryID(e *keep.Entry) string { return e.ID }

// name writes into an entry what the catalogue calls the title, or else what the former entry did.
func (l *Log) name(e *keep.Entry, was keep.Entry) {
	i, known := l.index[e.ID]
	if !known {
		e.Title, e.Year = was.Title, was.Year
		return
	}
	it := l.catalogue.Item(i)
	e.Title, e.Year = keep.Shorten(it.Title), uint16(min(max(it.Year, 0), 65535))
}

// nameAll names the titles that the catalogue has. It may be called by several goroutines.
func (l *Log) nameAll(entries []keep.Entry) {
	for i := range entries {
		if _, known := l.index[entries[i].ID]; known {
			l.name(&entries[i], keep.Entry{})
		}
	}
}

// restore makes the ledger anew of what is stored and what is pending.
func (l *Log) restore(p *person) {
	p.ledger = p.stored
	p.ledger.Merge(p.pending)
	l.derive(p)
}

// derive works out what follows from a person's ledger. O(entries + I).
func (l *Log) derive(p *person) {
	m := Marks{ByItem: p.ByItem}
	clear(m.ByItem)
	for i := range p.ledger.Entries {
		e := &p.ledger.Entries[i]
		item, known := l.index[e.ID]
		if !known {
			if e.Mark != keep.Unmarked {
				m.Unknown++
			}
			continue
		}
		m.ByItem[item] = e.Mark
		m.Items[e.Mark] = append(m.Items[e.Mark], item)
	}
	m.State = p.ledger.State()
	m.Settings = keep.Settings{}
	m.Visit = recommend.Visit{Likes: m.Items[keep.Liked], Dislikes: m.Items[keep.NotForMe],
		Seen: slices.Concat(m.Items[keep.Seen], m.Items[keep.Later])}
	p.Marks = m
}

// Undo takes the events back. What was changed since stays, and so do the settings, unless the event changed them.
func (l *Log) Undo(events ...Event) {
	for _, e := range events {
		if s := e.Settings; s != nil {
			l.Settings.Patch(&s.After, &s.Before)
		}
		if c := e.Person; c != nil && !l.undoPerson(c) || e.Who == 1 && l.Other == "" {
			continue
		}
		l.unmark(e.Who, e.Marked)
	}
}

// undoPerson takes back that a person came, went or was renamed, and reports whether their marks are still to be taken
// back.
func (l *Log) undoPerson(c *PersonChange) (marks bool) {
	switch {
	case c.Before == "":
		l.Part()
		return false
	case c.After == "":
		if l.Other == "" {
			l.Join(c.Before, c.entries)
		}
		return false
	case l.Other == c.After:
		l.Other = c.Before
	}
	return true
}

// unmark gives titles the marks that they had, where they still have those of the changes.
func (l *Log) unmark(who int, changes []Change) {
	p := &l.people[who]
	is := former(p.ledger.Entries, changes, func(c *Change) string { return c.ID })
	changes = slices.Clone(changes)
	slices.SortStableFunc(changes, func(a, b Change) int { // as they stood in the lists
		if a.was.Mark == keep.Unmarked || b.was.Mark == keep.Unmarked {
			return cmp.Compare(min(a.was.Mark, 1), min(b.was.Mark, 1))
		}
		return cmp.Or(cmp.Compare(a.was.At, b.was.At), cmp.Compare(a.was.ID, b.was.ID))
	})
	var back []keep.Change
	for _, c := range changes {
		if is[c.ID].Mark == c.Mark {
			back = append(back, keep.Change{ID: c.ID, Mark: c.was.Mark})
		}
	}
	l.mark(who, back)
}
