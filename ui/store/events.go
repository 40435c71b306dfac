package store

import (
	"slices"

	"github.com/pmlam/pmlam/ui/keep"
)

// Event is one change of the store. An action may set several fields.
type Event struct {
	Here    bool // done by the visitor in this tab; false: read from the disk
	Marks   bool // of the person whose page it is
	Partner bool // the other person came, left, or has another name or other marks
	Person  bool // the page is now the other person's
	Tuned   bool // settings that the visitor's own list depends on
	View    bool // the list's view
	Words   bool // the page's language
	Erased  bool // all marks are gone, and perhaps the settings
	Ready   bool // the disk has been read
}

// Subscribe calls f after every change, in the order of subscription. f must not change the store.
func (s *Store) Subscribe(f func(Event)) { s.subscribers = append(s.subscribers, f) }

func (s *Store) tell(e Event) {
	for _, f := range s.subscribers {
		f(e)
	}
}

// changed stores a change and announces it to subscribers.
func (s *Store) changed(e Event) {
	s.translated(&e)
	s.save()
	s.tell(e)
}

// translated switches the page to the language of the settings.
func (s *Store) translated(e *Event) {
	if s.translate(s.log.Settings.Language) {
		e.Words = true
		s.notice(s.noticed) // in the new language
	}
}

// tuned reports whether two settings give different lists.
func tuned(a, b *keep.Settings) bool {
	return a.Mode != b.Mode || !slices.Equal(a.Genres, b.Genres) || a.Decade != b.Decade ||
		a.Exploration != b.Exploration || a.Diversity != b.Diversity || a.Seed != b.Seed
}
