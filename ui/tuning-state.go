package ui

import (
	"slices"

	"github.com/pmlam/pmlam/core/recommend"
)

// TuningState is how the visitor's own list is made: the settings, and whether they are shown.
type TuningState struct {
	*Session
	list    *ListState
	storage *Storage

	Open bool // the filters are shown
}

// tuned is called after every change of the controls.
func (t *TuningState) tuned() {
	t.list.Shown = pageSize
	t.list.Why, t.list.Instead = -1, nil
	t.feed.dirty |= feedDim
	t.storage.save()
	t.list.refresh(true)
}

// SetMode looks for titles in another way.
func (t *TuningState) SetMode(m recommend.Mode) {
	t.Log.Settings.Mode = uint8(m)
	if t.list.View.Kind != OwnView {
		t.list.Go(View{})
	}
	t.tuned()
}

// Mode is the present way of looking.
func (t *TuningState) Mode() recommend.Mode { return recommend.Mode(t.Log.Settings.Mode) }

// HasGenre reports whether the filter names that genre.
func (t *TuningState) HasGenre(g string) bool { return slices.Contains(t.Log.Settings.Genres, g) }

// ToggleGenre adds a genre to the filter, or takes it out.
func (t *TuningState) ToggleGenre(g string) {
	s := &t.Log.Settings
	if i := slices.Index(s.Genres, g); i >= 0 {
		s.Genres = slices.Concat(s.Genres[:i], s.Genres[i+1:])
	} else {
		s.Genres = append(slices.Clip(s.Genres), g)
	}
	t.tuned()
}

// ToggleDecade filters by one decade, or no longer.
func (t *TuningState) ToggleDecade(first int) {
	if int(t.Log.Settings.Decade) == first {
		first = 0
	}
	t.Log.Settings.Decade = uint16(first)
	t.tuned()
}

// Filters is how many filters are set.
func (t *TuningState) Filters() int {
	n := len(t.Log.Settings.Genres)
	if t.Log.Settings.Decade > 0 {
		n++
	}
	return n
}

// ClearFilters shows everything again.
func (t *TuningState) ClearFilters() {
	t.Log.Settings.Genres, t.Log.Settings.Decade = nil, 0
	t.tuned()
}

// SetExploration sets how much is left to chance, in [0,1].
func (t *TuningState) SetExploration(v float64) {
	t.Log.Settings.Exploration = clamp(v)
	t.tuned()
}

// SetDiversity sets how different the titles are from one another, in [0,1].
func (t *TuningState) SetDiversity(v float64) {
	t.Log.Settings.Diversity = clamp(v)
	t.tuned()
}

// Shuffle draws again.
func (t *TuningState) Shuffle() {
	t.Log.Settings.Seed++
	t.tuned()
}

// ToggleTuning opens or closes the filters.
func (t *TuningState) ToggleTuning() { t.Open = !t.Open }

// Loosen takes filters away.
func (t *TuningState) Loosen(l Loosening) {
	if l.Genres {
		t.Log.Settings.Genres = nil
	}
	if l.Decade {
		t.Log.Settings.Decade = 0
	}
	t.tuned()
}
