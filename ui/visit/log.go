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

// Catalogue is a Log's view of the items.
type Catalogue interface {
	Len() int
	Item(i int) *catalogue.Item
	Columns() []string // the names of catalogue.Item.Values
}

// Log records what the visitor and a second person have done, and derives their marks. It is not safe for concurrent
// use.
type Log struct {
	Settings keep.Settings // of the page, for both people; changed in place, and differences are stored
	Who      int           // whose page it is: 0 for the visitor, 1 for the second person
	Other    string        // the second person's name; "": nobody

	Bytes int  // stored bytes of both people
	Aside int  // bytes that were stored and could not be read
	Began bool // the store has answered at least once

	catalogue Catalogue
	now       func() uint64  // milliseconds since 1970
	index     map[string]int // id → item
	clock     keep.Clock
	people    [People]person

	forgets, forgotten int // removals of a second person: asked for, and stored
	epoch              int // counts erasures; transactions begun in an earlier epoch are dropped
}

// People is the number of people with marks: the visitor, and a second person who chooses on the same page.
const People = 2

// person is one person's ledger, and the marks derived from it.
type person struct {
	stored  keep.Ledger  // the store's content, as far as this tab knows
	raw     []byte       // the same, encoded
	pending []keep.Entry // events not stored yet

	ledger keep.Ledger // stored and pending together
	Marks
}

// Marks are one person's marks. Each change makes new slices, except for ByItem.
type Marks struct {
	keep.State // ids by mark, in the order of marking; without settings
	// for the engine, with titles of this catalogue only. Titles kept for later count as seen: they are not
	// recommended, and change nothing else
	Visit   recommend.Visit
	Unknown int // marked titles that this catalogue does not have
	// indices by mark, and marks by index. Unmarked holds titles that were taken off all lists or passed over
	// (Log.Pass)
	Items  [len(keep.Marks) + 1][]int
	ByItem []keep.Mark
	// stars, times and lists of the titles that have any, by index
	Details map[int]keep.Details
	Lists   []List // the person's own lists, by name
}

// List is one of a person's own lists of titles.
type List struct {
	Name  string
	IDs   []string // in the order of marking
	Items []int    // those of this catalogue
}

// New returns the log of a first visit, in O(items).
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

// Item returns the index of the item with this id.
func (l *Log) Item(id string) (i int, known bool) {
	i, known = l.index[id]
	return i, known
}

// Now returns the marks of the person whose page it is.
func (l *Log) Now() *Marks { return l.MarksOf(l.Who) }

// Partner returns the marks of the other person. They are empty without a second person.
func (l *Log) Partner() *Marks { return l.MarksOf(1 - l.Who) }

// MarksOf returns one person's marks.
func (l *Log) MarksOf(who int) *Marks { return &l.people[who].Marks }

// Entries returns one person's entries, by time.
func (l *Log) Entries(who int) []keep.Entry { return l.people[who].ledger.Entries }

// Pending returns the number of events not stored yet, of the person whose page it is.
func (l *Log) Pending() int { return len(l.people[l.Who].pending) }

// Event is one action, as needed to undo it.
type Event struct {
	Who      int
	Marked   []Change
	Settings *SettingsChange // nil: unchanged
	Person   *PersonChange   // nil: unchanged
}

// Change is a title's new mark.
type Change struct {
	ID      string
	Mark    keep.Mark
	details keep.Details
	was     keep.Entry // the zero value: the title had no entry
}

// SettingsChange holds the settings before and after an event.
type SettingsChange struct{ Before, After keep.Settings }

// PersonChange holds the second person's name before and after an event; "" where there was or is nobody.
type PersonChange struct {
	Before, After string
	entries       []keep.Entry // the marks of a person who was removed
}

// Mark changes the marks and details of titles, for the person whose page it is. If an id comes twice, the last change
// counts. O(marks + changes).
func (l *Log) Mark(changes ...keep.Change) Event { return l.mark(l.Who, changes) }

func (l *Log) mark(who int, changes []keep.Change) Event {
	p := &l.people[who]
	now := l.now()
	var entries []keep.Entry
	was := former(p.ledger.Entries, changes, func(c *keep.Change) string { return c.ID })
	for _, k := range l.order(changes) {
		c := &changes[k]
		before := was[c.ID]
		details := changed(c, &before)
		if before.Mark == c.Mark && before.Details == details {
			continue
		}
		e := keep.Entry{ID: c.ID, Mark: c.Mark, At: before.At + 1, Details: details}
		if before.Mark != c.Mark { // otherwise the title keeps its place
			e.At = l.clock.Tick(now)
		}
		l.name(&e, before)
		entries = append(entries, e)
	}
	return l.append(who, entries, was)
}

// changed returns a title's details after a change. An unmarked title has none, and one kept for later no stars.
func changed(c *keep.Change, was *keep.Entry) (d keep.Details) {
	if c.Mark == keep.Unmarked {
		return d
	}
	if d = was.Details; c.Details != nil {
		d = *c.Details
	} else if c.Mark != was.Mark {
		d.Stars = 0
	}
	if c.Mark == keep.Later {
		d.Stars, d.When = 0, 0
	}
	return d
}

// Pass records that the person whose page it is was asked about these titles and chose none of them. Titles without an
// entry get one without a mark, like titles that were taken off all lists. O(marks).
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

// order returns the indices of the changes that count: titles that lose their mark first, then by mark, each in the
// given order.
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

// append appends entries to one person's events. was holds the previous entries of their titles.
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
		if now := is[id]; now.Mark != was[id].Mark || now.Details != was[id].Details {
			e.Marked = append(e.Marked, Change{ID: id, Mark: now.Mark, details: now.Details, was: was[id]})
		}
	}
	return e
}

// former returns the entries of the named titles by id, with the zero value for a title without an entry. O(entries +
// named).
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

// name copies the title and year from the catalogue into an entry, or else from the title's previous entry.
func (l *Log) name(e *keep.Entry, was keep.Entry) {
	i, known := l.index[e.ID]
	if !known {
		e.Title, e.Year = was.Title, was.Year
		return
	}
	it := l.catalogue.Item(i)
	e.Title, e.Year = keep.Shorten(it.Title), uint16(min(max(it.Year, 0), 65535))
}

// nameAll names the titles that the catalogue has. It is safe for concurrent use.
func (l *Log) nameAll(entries []keep.Entry) {
	for i := range entries {
		if _, known := l.index[entries[i].ID]; known {
			l.name(&entries[i], keep.Entry{})
		}
	}
}

// restore rebuilds the ledger from stored and pending entries.
func (l *Log) restore(p *person) {
	p.ledger = p.stored
	p.ledger.Merge(p.pending)
	l.derive(p)
}

// list adds a title to one of the person's own lists.
func (m *Marks) list(name, id string, item int, known bool) {
	at := 0
	for at < len(m.Lists) && m.Lists[at].Name < name {
		at++
	}
	if at == len(m.Lists) || m.Lists[at].Name != name {
		m.Lists = slices.Insert(m.Lists, at, List{Name: name})
	}
	l := &m.Lists[at]
	if l.IDs = append(l.IDs, id); known {
		l.Items = append(l.Items, item)
	}
}

// Diary returns one person's marked titles in the order in which they were watched or read, or else marked.
// O(entries log entries).
func (l *Log) Diary(who int) []keep.Entry {
	all := l.Entries(who)
	var order []int32 // as in keep.Ledger.Merge
	for i := range all {
		if all[i].Mark != keep.Unmarked {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(i, j int32) int {
		return cmp.Or(cmp.Compare(all[i].Time(), all[j].Time()), cmp.Compare(i, j))
	})
	out := make([]keep.Entry, len(order))
	for k, i := range order {
		out[k] = all[i]
	}
	return out
}

// derive computes a person's marks from the ledger. A like of more than four stars weighs more than one without: up to
// 1.5 for five stars. O(entries + items).
func (l *Log) derive(p *person) {
	m := Marks{ByItem: p.ByItem, Details: map[int]keep.Details{}}
	clear(m.ByItem)
	var weights []float32
	for i := range p.ledger.Entries {
		e := &p.ledger.Entries[i]
		item, known := l.index[e.ID]
		for _, name := range e.Listed() {
			m.list(name, e.ID, item, known)
		}
		if !known {
			if e.Mark != keep.Unmarked {
				m.Unknown++
			}
			continue
		}
		m.ByItem[item] = e.Mark
		m.Items[e.Mark] = append(m.Items[e.Mark], item)
		if e.Details != (keep.Details{}) {
			m.Details[item] = e.Details
		}
		if e.Mark == keep.Liked && e.Stars > keep.LikeStars {
			if weights == nil {
				weights = make([]float32, len(p.ByItem))
			}
			weights[item] = 1 + float32(e.Stars-keep.LikeStars)/4
		}
	}
	m.State = p.ledger.State()
	m.Settings = keep.Settings{}
	m.Visit = recommend.Visit{Likes: m.Items[keep.Liked], Dislikes: m.Items[keep.NotForMe],
		Seen: slices.Concat(m.Items[keep.Seen], m.Items[keep.Later]), Weights: weights}
	p.Marks = m
}

// Undo reverts events, except for marks that have changed since. Settings stay, unless the event changed them.
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

// undoPerson reverts the arrival, departure or renaming of a person, and reports whether their marks are still to be
// reverted.
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

// unmark gives titles their previous marks back, where they still have the marks of the changes.
func (l *Log) unmark(who int, changes []Change) {
	p := &l.people[who]
	is := former(p.ledger.Entries, changes, func(c *Change) string { return c.ID })
	changes = slices.Clone(changes)
	slices.SortStableFunc(changes, func(a, b Change) int { // in the order of the lists
		if a.was.Mark == keep.Unmarked || b.was.Mark == keep.Unmarked {
			return cmp.Compare(min(a.was.Mark, 1), min(b.was.Mark, 1))
		}
		return cmp.Or(cmp.Compare(a.was.At, b.was.At), cmp.Compare(a.was.ID, b.was.ID))
	})
	var back []keep.Change
	for _, c := range changes {
		if now := is[c.ID]; now.Mark == c.Mark && now.Details == c.details {
			back = append(back, keep.Change{ID: c.ID, Mark: c.was.Mark, Details: &c.was.Details})
		}
	}
	l.mark(who, back)
}
