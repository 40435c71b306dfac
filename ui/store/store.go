package store

import (
	"time"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/core/yield"
	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/tasks"
	"github.com/pmlam/pmlam/ui/titles"
	"github.com/pmlam/pmlam/ui/visit"
	"github.com/pmlam/pmlam/ui/words"
)

// Wanted is the number of likes that make a taste. Visitors with fewer are invited to pick.
const Wanted = 3

// manyEvents is the number of pending events from which storing them makes a long turn of the event loop.
const manyEvents = 500

// Store is the state shared by the page's features.
type Store struct {
	*titles.Catalogue
	Tasks tasks.Tasks
	browser.Announcements
	Language
	storage

	Ready bool // the disk has been read, or is slow
	Lost  bool // the address names a title, genre or region that the catalogue lacks

	log         *visit.Log
	view        address.View
	subscribers []func(Event)
}

// New returns the store of a first visit. With a nil disk nothing is kept, and the page says so. A nil w means the
// document's language. name is the site's name; "" means the words' own. O(items).
func New(c *titles.Catalogue, disk Disk, w *words.Words, name string, owner words.Owner) *Store {
	s := &Store{Catalogue: c, log: visit.New(c.Engine)}
	yield.Now()
	owner.Undated = len(c.Decades) == 0
	s.Language = newLanguage(w, name, owner)
	s.disk = disk
	return s
}

// impatience is how long the page waits for the stored visit before it is shown without. Marks made until the disk
// answers are merged with it.
const impatience = 2 * time.Second

// Begin sets up the page's lock, calls begin, and reads the stored visit. Further calls do nothing.
func (s *Store) Begin(env vugu.EventEnv, begin func()) {
	if s.Tasks.Begin(env) {
		begin()
		s.load()
	}
}

// load reads the stored visit, in the background.
func (s *Store) load() {
	if s.disk == nil {
		s.notice(noticeBlocked)
		s.Ready = true
		s.tell(Event{Ready: true})
		return
	}
	s.disk.Listen(s.changedElsewhere)
	s.save()
	go func() { // not counted by Wait: nothing depends on it
		time.Sleep(impatience)
		s.Tasks.Lock()
		if s.Ready {
			s.Tasks.Unlock()
			return
		}
		s.Ready = true
		s.Tasks.UnlockRender()
	}()
}

// Await returns when the disk has been read, or after a moment without an answer. It is called without the render lock.
func (s *Store) Await() {
	known := make(chan struct{})
	go func() {
		s.Tasks.First()
		close(known)
	}()
	select {
	case <-known:
	case <-time.After(impatience):
	}
}

// --- marks -----------------------------------------------------------------------------------------------------------

// Now returns the marks of the person whose page it is, Partner the other person's, MarksOf either's.
func (s *Store) Now() *visit.Marks            { return s.log.Now() }
func (s *Store) MarksOf(who int) *visit.Marks { return s.log.MarksOf(who) }
func (s *Store) Partner() *visit.Marks        { return s.log.Partner() }

// Mark returns the mark of item i.
func (s *Store) Mark(i int) keep.Mark { return s.log.Now().ByItem[i] }

// Find returns the index of the item with this id.
func (s *Store) Find(id string) (i int, known bool) { return s.log.Item(id) }

// Entries returns the entries of the person whose page it is, by time.
func (s *Store) Entries() []keep.Entry { return s.log.Entries(s.log.Who) }

// Diary returns the marked titles of the person whose page it is, by the time of watching, reading or else marking.
func (s *Store) Diary() []keep.Entry { return s.log.Diary(s.log.Who) }

// Change changes the marks of titles.
func (s *Store) Change(changes ...keep.Change) visit.Event {
	e := s.log.Mark(changes...)
	s.changed(Event{Here: true, Marks: true})
	return e
}

// Choose records that the visitor was asked about titles and likes one of them, or for "" none. Unmarked ones are not
// offered again.
func (s *Store) Choose(id string, of ...string) (e visit.Event) {
	s.log.Pass(of...)
	if id != "" {
		e = s.log.Mark(keep.Change{ID: id, Mark: keep.Liked})
	}
	s.changed(Event{Here: true, Marks: true})
	return e
}

// Undo reverts events.
func (s *Store) Undo(events ...visit.Event) {
	who, other, was := s.log.Who, s.log.Other, s.log.Settings
	s.log.Undo(events...)
	e := s.since(who, other, &was)
	for i := range events { // the return of a second person changes none of the visitor's marks
		e.Marks = e.Marks || events[i].Person == nil || len(events[i].Marked) > 0
	}
	s.changed(e)
}

// since returns the event of an action, given the people and the settings before it.
func (s *Store) since(who int, other string, was *keep.Settings) Event {
	return Event{Here: true, Person: s.log.Who != who, Partner: s.log.Other != other,
		Tuned: tuned(was, &s.log.Settings)}
}

// --- settings --------------------------------------------------------------------------------------------------------

// Settings returns the settings. The elements of its lists are never changed in place.
func (s *Store) Settings() keep.Settings { return s.log.Settings }

// Set changes settings that the list does not depend on.
func (s *Store) Set(change func(*keep.Settings)) {
	change(&s.log.Settings)
	s.changed(Event{Here: true})
}

// Tune changes settings that the visitor's own list depends on.
func (s *Store) Tune(change func(*keep.Settings)) {
	change(&s.log.Settings)
	s.changed(Event{Here: true, Tuned: true})
}

// --- people ----------------------------------------------------------------------------------------------------------

// Who returns whose page it is: 0 for the visitor, 1 for the second person.
func (s *Store) Who() int { return s.log.Who }

// Other returns the second person's name, or "".
func (s *Store) Other() string { return s.log.Other }

// Together reports whether both people have likes.
func (s *Store) Together() bool { return s.log.Together() }

// Join adds a second person.
func (s *Store) Join(name string) {
	s.log.Join(name, nil)
	s.changed(Event{Here: true, Partner: true})
}

// JoinWith adds a second person with these marks.
func (s *Store) JoinWith(name string, marks *keep.State) {
	s.log.JoinWith(name, marks)
	s.changed(Event{Here: true, Partner: true})
}

// Become shows one person's page.
func (s *Store) Become(who int) {
	s.log.Become(who)
	s.changed(Event{Here: true, Person: true})
}

// Rename renames the person whose page it is.
func (s *Store) Rename(name string) {
	s.log.Rename(name)
	s.changed(Event{Here: true})
}

// Part removes the second person, and shows the visitor's own page.
func (s *Store) Part() visit.Event {
	who := s.log.Who
	e := s.log.Part()
	s.changed(Event{Here: true, Partner: true, Person: who == 1})
	return e
}

// --- backups ---------------------------------------------------------------------------------------------------------

// Backup returns all marks as a file.
func (s *Store) Backup(now uint64) *keep.Backup { return s.log.Backup(now, s.About.Dataset) }

// Match looks up the titles of a backup in the catalogue (visit.Log.Match). It may be called without the render lock.
func (s *Store) Match(b *keep.Backup) (unknown map[string]string, count int) {
	return s.log.Match(b, s.About.Dataset)
}

// Plan computes the effects of a backup (visit.Log.Plan).
func (s *Store) Plan(b *keep.Backup) (merge, restore visit.Plans) { return s.log.Plan(b) }

// Apply applies the plans of a backup (visit.Log.Apply).
func (s *Store) Apply(b *keep.Backup, plans visit.Plans, restore bool) []visit.Event {
	who, other, was := s.log.Who, s.log.Other, s.log.Settings
	events := s.log.Apply(b, plans, restore)
	e := s.since(who, other, &was)
	e.Marks = true
	s.changed(e)
	return events
}

// Bytes returns the size of both people's stored visits, SetAside the size of stored bytes that could not be read.
func (s *Store) Bytes() int    { return s.log.Bytes }
func (s *Store) SetAside() int { return s.log.Aside }

// --- views -----------------------------------------------------------------------------------------------------------

// View returns the list's view.
func (s *Store) View() address.View { return s.view }

// Go shows a view in the list and in the page's address.
func (s *Store) Go(v address.View) {
	s.arrive(v)
	browser.SetAddress(v.Fragment())
}

// Follow is called with the address's fragment: at the start, and after back, forward, a link or a typed address.
func (s *Store) Follow(fragment string) {
	if v, ok := address.Parse(fragment); ok {
		s.arrive(v)
	}
}

// arrive shows a view. A title, genre or region that the catalogue lacks leads to the visitor's own list.
func (s *Store) arrive(v address.View) {
	known := s.Known(v)
	if v.Kind == address.Similar {
		_, known = s.Find(v.Like)
	}
	if s.Lost = !known; s.Lost { // the page says so
		v = address.View{}
	}
	if v != s.view {
		s.view = v
		s.tell(Event{Here: true, View: true})
	}
}
