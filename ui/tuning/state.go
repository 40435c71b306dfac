// Package tuning holds the controls over the list: the way of looking, the filters, how safe and how varied.
package tuning

import (
	"slices"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/markup"
	"github.com/pmlam/pmlam/ui/store"
)

// State is how the visitor's own list is made: the settings, and whether they are shown.
type State struct {
	*store.Store
	Open bool // the filters are shown
}

// New returns the state of a first visit.
func New(s *store.Store) *State { return &State{Store: s} }

// Filter is the filter of the settings.
func Filter(s *keep.Settings) recommend.Filter {
	f := recommend.Filter{Genres: slices.Clone(s.Genres)}
	if s.Decade > 0 {
		f.FromYear, f.ToYear = int(s.Decade), int(s.Decade)+9
	}
	return f
}

// SetMode looks for titles in another way, in the visitor's own list.
func (t *State) SetMode(m recommend.Mode) {
	t.Tune(func(s *keep.Settings) { s.Mode = uint8(m) })
	if t.View().Kind != address.Own {
		t.Go(address.View{})
	}
}

// Mode is the present way of looking.
func (t *State) Mode() recommend.Mode { return recommend.Mode(t.Settings().Mode) }

// HasGenre reports whether the filter names that genre.
func (t *State) HasGenre(g string) bool { return slices.Contains(t.Settings().Genres, g) }

// ToggleGenre adds a genre to the filter, or takes it out.
func (t *State) ToggleGenre(g string) {
	t.Tune(func(s *keep.Settings) {
		if i := slices.Index(s.Genres, g); i >= 0 {
			s.Genres = slices.Concat(s.Genres[:i], s.Genres[i+1:])
		} else {
			s.Genres = append(slices.Clip(s.Genres), g)
		}
	})
}

// ToggleDecade filters by one decade, or no longer.
func (t *State) ToggleDecade(first int) {
	t.Tune(func(s *keep.Settings) {
		if int(s.Decade) == first {
			first = 0
		}
		s.Decade = uint16(first)
	})
}

// Filters is how many filters are set.
func (t *State) Filters() int {
	n := len(t.Settings().Genres)
	if t.Settings().Decade > 0 {
		n++
	}
	return n
}

// ClearFilters shows everything again.
func (t *State) ClearFilters() {
	t.Tune(func(s *keep.Settings) { s.Genres, s.Decade = nil, 0 })
}

// SetExploration sets how much is left to chance, in [0,1].
func (t *State) SetExploration(v float64) {
	t.Tune(func(s *keep.Settings) { s.Exploration = markup.Clamp(v) })
}

// SetDiversity sets how different the titles are from one another, in [0,1].
func (t *State) SetDiversity(v float64) {
	t.Tune(func(s *keep.Settings) { s.Diversity = markup.Clamp(v) })
}

// ToggleTuning opens or closes the filters.
func (t *State) ToggleTuning() { t.Open = !t.Open }
