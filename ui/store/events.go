package store

import (
	"slices"

	"github.com/pmlam/pmlam/ui/keep"
)

// Event is one change of the store. Several fields may be set, since one action may change several things.
type Event struct {
	Here    bool // the visitor did it in this tab; else it came from the disk
	Marks   bool // of the person whose page it is
	Partner bool // the other person came, went, or has another name or other marks
	Person  bool // the page is another person's now
	Tuned   bool // the settings by which the visitor's own list is made
	View    bool // the list's view
	Words   bool // the page is in another language
	Erased  bool // everything is forgotten, apart from the settings maybe
	Ready   bool // the disk has been read
}

// Subscribe has f called after every change, after earlier subscribers. f must not change the store.
func (s *Store) Subscribe(f func(Event)) { s.subscribers = append(s.subscribers, f) }

func (s *Store) tell(e Event) {
	for _, f := range s.subscribers {
		f(e)
	}
}

// changed stores a change and tells of it.
func (s *Store) changed(e Event) {
	s.translated(&e)
	s.save()
	s.tell(e)
}

// translated has the page's language follow the settings.
func (s *Store) translated(e *Event) {
	if s.translate(s.log.Settings.Language) {
		e.Words = true
		s.notice(s.noticed) // in the new language
	}
}

// tuned reports whether two settings make another list.
func tuned(a, b *keep.Settings) bool {
	return a.Mode != b.Mode || !slices.Equal(a.Genres, b.Genres) || a.Decade != b.Decade ||
		a.Exploration != b.Exploration || a.Diversity != b.Diversity || a.Seed != b.Seed
}
