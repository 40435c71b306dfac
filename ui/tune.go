package ui

import (
	"slices"

	"github.com/pmlam/pmlam/core/recommender"
)

// filter is the filter that the visitor has set.
func (p *Page) filter() recommender.Filter {
	s := &p.Log.Settings
	f := recommender.Filter{Genres: slices.Clone(s.Genres)}
	if s.Decade > 0 {
		f.FromYear, f.ToYear = int(s.Decade), int(s.Decade)+9
	}
	return f
}

// tuned is called after every change of the controls.
func (p *Page) tuned() {
	p.Shown = pageSize
	p.Why, p.Instead = -1, nil
	p.feed.dirty |= feedDim
	p.save()
	p.refresh(true)
}

// SetMode looks for titles in another way.
func (p *Page) SetMode(m recommender.Mode) {
	p.Log.Settings.Mode = uint8(m)
	if p.View.Kind != OwnView {
		p.Go(View{})
	}
	p.tuned()
}

// Mode is the present way of looking.
func (p *Page) Mode() recommender.Mode { return recommender.Mode(p.Log.Settings.Mode) }

// HasGenre tells whether the filter names that genre.
func (p *Page) HasGenre(g string) bool { return slices.Contains(p.Log.Settings.Genres, g) }

// ToggleGenre adds a genre to the filter, or takes it out.
func (p *Page) ToggleGenre(g string) {
	s := &p.Log.Settings
	if i := slices.Index(s.Genres, g); i >= 0 {
		s.Genres = slices.Concat(s.Genres[:i], s.Genres[i+1:])
	} else {
		s.Genres = append(slices.Clip(s.Genres), g)
	}
	p.tuned()
}

func (p *Page) clearGenres() { p.Log.Settings.Genres = nil }

// ToggleDecade filters by one decade, or no longer.
func (p *Page) ToggleDecade(first int) {
	if int(p.Log.Settings.Decade) == first {
		first = 0
	}
	p.Log.Settings.Decade = uint16(first)
	p.tuned()
}

// Filters is how many filters are set.
func (p *Page) Filters() int {
	n := len(p.Log.Settings.Genres)
	if p.Log.Settings.Decade > 0 {
		n++
	}
	return n
}

// ClearFilters shows everything again.
func (p *Page) ClearFilters() {
	p.clearGenres()
	p.Log.Settings.Decade = 0
	p.tuned()
}

// SetExploration sets how much is left to chance, in [0,1].
func (p *Page) SetExploration(v float64) {
	p.Log.Settings.Exploration = clamp(v)
	p.tuned()
}

// SetDiversity sets how different the titles are from one another, in [0,1].
func (p *Page) SetDiversity(v float64) {
	p.Log.Settings.Diversity = clamp(v)
	p.tuned()
}

// Shuffle draws again.
func (p *Page) Shuffle() {
	p.Log.Settings.Seed++
	p.tuned()
}

func clamp(v float64) float64 {
	if !(v > 0) {
		return 0
	}
	return min(v, 1)
}

// More shows ten more.
func (p *Page) More() {
	p.Shown = min(p.Shown+pageSize, maxShown)
	p.refresh(true)
}

// CanMore tells whether there may be more to show.
func (p *Page) CanMore() bool { return len(p.List) == p.Shown && p.Shown < maxShown }

// ToggleTuning opens or closes the filters.
func (p *Page) ToggleTuning() { p.Tuning = !p.Tuning }

// SetTheme chooses the colours: 0 as the system, 1 light, 2 dark.
func (p *Page) SetTheme(t uint8) {
	was := p.Log.Settings
	p.Log.Settings.Theme = t % 3
	p.look(&was)
	p.save()
}

// look gives the page the colours and the language of the settings, where they differ from what they were.
func (p *Page) look(was *Settings) {
	now := &p.Log.Settings
	if now.Theme != was.Theme {
		setTheme(now.Theme)
		p.feed.dirty |= feedColours
	}
	if now.Language != was.Language {
		p.translate()
	}
}
