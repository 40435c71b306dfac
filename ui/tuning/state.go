// Package tuning holds the controls over the list: the mode, the filters, and the sliders for exploration and
// diversity.
package tuning

import (
	"slices"

	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/address"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/markup"
	"github.com/pmlam/pmlam/ui/store"
	"github.com/pmlam/pmlam/ui/words"
)

// State is the settings of the visitor's own list, and whether they are shown.
type State struct {
	*store.Store
	Open bool // the filters are shown
}

// New returns the state of a first visit.
func New(s *store.Store) *State { return &State{Store: s} }

// Filter returns the filter in the settings.
func Filter(s *keep.Settings) recommend.Filter {
	f := recommend.Filter{Genres: slices.Clone(s.Genres)}
	if s.Decade > 0 {
		f.FromYear, f.ToYear = int(s.Decade), int(s.Decade)+9
	}
	return f
}

// SetMode shows the visitor's own list in another mode.
func (t *State) SetMode(m recommend.Mode) {
	t.Tune(func(s *keep.Settings) { s.Mode = uint8(m) })
	if t.View().Kind != address.Own {
		t.Go(address.View{})
	}
}

// Mode returns the current mode.
func (t *State) Mode() recommend.Mode { return recommend.Mode(t.Settings().Mode) }

// HasGenre reports whether the filter has this genre.
func (t *State) HasGenre(g string) bool { return slices.Contains(t.Settings().Genres, g) }

// ToggleGenre adds a genre to the filter, or removes it.
func (t *State) ToggleGenre(g string) {
	t.Tune(func(s *keep.Settings) {
		if i := slices.Index(s.Genres, g); i >= 0 {
			s.Genres = slices.Concat(s.Genres[:i], s.Genres[i+1:])
		} else {
			s.Genres = append(slices.Clip(s.Genres), g)
		}
	})
}

// ToggleDecade sets or clears the decade of the filter.
func (t *State) ToggleDecade(first int) {
	t.Tune(func(s *keep.Settings) {
		if int(s.Decade) == first {
			first = 0
		}
		s.Decade = uint16(first)
	})
}

// Moods returns the moods whose genres the catalogue has.
func (t *State) Moods() (out []words.Mood) {
	for _, m := range t.W.ListedMoods() {
		if !slices.ContainsFunc(m.Genres, func(g string) bool { return !slices.Contains(t.Engine.Genres(), g) }) {
			out = append(out, m)
		}
	}
	return out
}

// HasMood reports whether the filter has all genres of a mood.
func (t *State) HasMood(m words.Mood) bool {
	return !slices.ContainsFunc(m.Genres, func(g string) bool { return !t.HasGenre(g) })
}

// ToggleMood adds a mood's genres to the filter, or removes them.
func (t *State) ToggleMood(m words.Mood) {
	on := t.HasMood(m)
	t.Tune(func(s *keep.Settings) {
		rest := slices.DeleteFunc(slices.Clone(s.Genres), func(g string) bool { return slices.Contains(m.Genres, g) })
		if !on {
			rest = append(rest, m.Genres...)
		}
		s.Genres = rest
	})
}

// Filters returns the number of filters that are set.
func (t *State) Filters() int {
	n := len(t.Settings().Genres)
	if t.Settings().Decade > 0 {
		n++
	}
	return n
}

// ClearFilters removes all filters.
func (t *State) ClearFilters() {
	t.Tune(func(s *keep.Settings) { s.Genres, s.Decade = nil, 0 })
}

// SetExploration sets the share of chance, in [0,1].
func (t *State) SetExploration(v float64) {
	t.Tune(func(s *keep.Settings) { s.Exploration = markup.Clamp(v) })
}

// SetDiversity sets how much titles differ from each other, in [0,1].
func (t *State) SetDiversity(v float64) {
	t.Tune(func(s *keep.Settings) { s.Diversity = markup.Clamp(v) })
}

// ToggleTuning opens or closes the filters.
func (t *State) ToggleTuning() { t.Open = !t.Open }
