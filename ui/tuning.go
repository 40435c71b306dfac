package ui

import (
	"slices"
	"strconv"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/core/recommender"
)

// Tuning are the controls over the list: the way of looking, the filters, and how safe and how varied.
type Tuning struct {
	Tuning *TuningState
	List   *ListState
}

func (c *Tuning) modes() []recommender.Mode {
	return []recommender.Mode{recommender.ForYou, recommender.HiddenGems, recommender.OutsideBubble}
}

func (c *Tuning) modeOn(m recommender.Mode) bool { return c.own() && c.Tuning.Mode() == m }

// own tells whether the list goes by what is set here.
func (c *Tuning) own() bool { return c.List.View.Kind == OwnView }

func (c *Tuning) together() bool { return c.List.View.Kind == TogetherView }

func (c *Tuning) browsing() bool { return c.List.View.browses() || c.List.View.Kind == BrowseView }

func (c *Tuning) decadeOn(d int) bool { return int(c.Tuning.Log.Settings.Decade) == d }

func (c *Tuning) explore(e vugu.DOMEvent) { c.Tuning.SetExploration(slid(e)) }
func (c *Tuning) vary(e vugu.DOMEvent)    { c.Tuning.SetDiversity(slid(e)) }

// slid returns a slider's place in [0,1].
func slid(e vugu.DOMEvent) float64 {
	v, err := strconv.ParseFloat(e.PropString("target", "value"), 64)
	if err != nil {
		return 0
	}
	return v / 100
}

// place is the opposite of slid.
func place(v float64) string { return strconv.Itoa(int(v*100 + 0.5)) }

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
func (t *TuningState) SetMode(m recommender.Mode) {
	t.Log.Settings.Mode = uint8(m)
	if t.list.View.Kind != OwnView {
		t.list.Go(View{})
	}
	t.tuned()
}

// Mode is the present way of looking.
func (t *TuningState) Mode() recommender.Mode { return recommender.Mode(t.Log.Settings.Mode) }

// HasGenre tells whether the filter names that genre.
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

func clamp(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	return min(v, 1)
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
