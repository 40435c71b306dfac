package ui

import (
	"cmp"
	"sync"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/visit"
)

// Session is what all parts of the page work with. They hold one together; it knows none of them.
type Session struct {
	Language
	Catalogue
	Tasks
	Announcements
	Log   *visit.Log
	Ready bool // what was stored is known, or the store is slow
	feed  feed
	on    hooks
}

// hooks are what a part of the page asks of parts above it. newPage sets them.
type hooks struct {
	refresh  func(announce bool) // ask for new recommendations
	settings func(was *Settings) // the settings may have changed: colours and language follow
	person   func()              // the page is shown for somebody else
	erase    func(settings bool) // all events are to be forgotten; settings: but for those
	answered func()              // all of an answer is there, and no render is due
	idle     func()              // the engine has nothing to do; called without the render lock
}

// Tasks runs work beside the page's events. What a task changes it changes with the render lock, which event handlers
// hold.
type Tasks struct {
	env    vugu.EventEnv
	jobs   sync.WaitGroup
	first  sync.WaitGroup // those that the first page waits for
	stands chan struct{}  // closed when the page has been rendered for the first time; nil: nobody waits for that
}

// background runs f in a goroutine that Wait waits for.
func (t *Tasks) background(f func()) {
	t.first.Add(1)
	t.start(func() {
		defer t.first.Done()
		f()
	})
}

// afterwards is background for what the first page does not wait for: f runs when that stands.
func (t *Tasks) afterwards(f func()) {
	t.start(func() {
		if t.stands != nil {
			<-t.stands
		}
		f()
	})
}

// start runs f in a goroutine that Wait waits for, and of which the page's scripts know.
func (t *Tasks) start(f func()) {
	browser.Begin()
	t.jobs.Go(func() {
		defer browser.End()
		f()
	})
}

// aside runs f in a goroutine that Wait does not wait for, since nothing depends on it. The page's scripts know of it.
func (t *Tasks) aside(f func()) {
	browser.Begin()
	go func() {
		defer browser.End()
		f()
	}()
}

// stand lets go on what waits until the page stands.
func (t *Tasks) stand() {
	if t.stands != nil {
		close(t.stands)
		t.stands = nil
	}
}

// Wait returns when nothing is being computed or stored. It is called without the render lock.
func (t *Tasks) Wait() { t.jobs.Wait() }

// locked runs f with the render lock, and renders.
func (t *Tasks) locked(f func()) {
	t.env.Lock()
	f()
	t.env.UnlockRender()
}

// Announcements are texts for screen readers.
type Announcements struct {
	Announced     string // the latest
	AnnouncedTurn int    // counts them, so that the same text can be announced twice
	readTurn      int    // AnnouncedTurn of the last one that was handed to the browser
}

// announce has screen readers read a text when they are idle.
func (a *Announcements) announce(text string) {
	a.Announced = text
	a.AnnouncedTurn++
}

// speak hands the latest announcement to the browser, once.
func (a *Announcements) speak() {
	if a.readTurn != a.AnnouncedTurn {
		a.readTurn = a.AnnouncedTurn
		browser.Say(a.Announced)
	}
}

// Mark returns the mark of item i.
func (s *Session) Mark(i int) Mark { return s.Log.Now().ByItem[i] }

// Titled returns "Heat, 1995", for a sentence or to stand by itself.
func (s *Session) Titled(i int) string { return s.W.Isolate(titled(s.Item(i))) }

// Called names one of the two people.
func (s *Session) Called(who int) string {
	if who == 1 {
		return s.Log.Other
	}
	return cmp.Or(s.Log.Settings.Person, s.W.You)
}

// genreNames returns an item's genres in the page's language.
func (s *Session) genreNames(i int) []string {
	names := make([]string, len(s.Item(i).Genres))
	for k, g := range s.Item(i).Genres {
		names[k] = s.W.GenreName(g)
	}
	return names
}

// regionName is what region i of the map is called in the page's language: "1980s horror"; "" for one without a name.
func (s *Session) regionName(i int) string {
	r := s.Engine.Regions()[i]
	if r.Words != "" || s.regions[i] == "" {
		return r.Words
	}
	return s.W.RegionName(r.Genre, r.Or, r.From, r.To)
}

// GenreList returns the genres that have a filter, most frequent first.
func (s *Session) GenreList() []Genre {
	all := s.Engine.Genres()
	out := make([]Genre, 0, len(all))
	for i, g := range all {
		if formats[g] || i >= noGenre {
			continue
		}
		out = append(out, Genre{Name: g, Label: s.W.GenreName(g), Class: genreClass(uint8(i)),
			Path: shapePaths[genreShape(uint8(i))]})
	}
	return out
}

// What the visitor marks, in the terms of package keep.
type (
	State    = keep.State
	Settings = keep.Settings
	Mark     = keep.Mark
)

// The marks.
const (
	Unmarked = keep.Unmarked
	LikedIt  = keep.Liked
	NotForMe = keep.NotForMe
	SeenIt   = keep.Seen
	ForLater = keep.Later
)

// allMarks are the marks in the order of the buttons.
var allMarks = keep.Marks[:]
