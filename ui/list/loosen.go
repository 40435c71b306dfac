package list

import (
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/ui/words"
)

// Loosening is a set of filters whose removal brings titles back.
type Loosening struct{ Genres, Decade bool }

// loosenings finds the single filters whose removal brings titles back, or else all filters together.
func loosenings(
	e recommend.Engine, v recommend.Visit, t *recommend.Taste, r recommend.Request,
) (out []Loosening) {
	if len(r.Filter.Genres) == 0 && r.Filter.FromYear == 0 {
		return nil
	}
	r.K, r.Bare = 1, true
	full := r.Filter
	try := func(l Loosening) {
		r.Filter = full
		if l.Genres {
			r.Filter.Genres = nil
		}
		if l.Decade {
			r.Filter.FromYear, r.Filter.ToYear = 0, 0
		}
		if len(e.Recommend(v, t, r)) > 0 {
			out = append(out, l)
		}
	}
	if len(full.Genres) > 0 {
		try(Loosening{Genres: true})
	}
	if full.FromYear != 0 {
		try(Loosening{Decade: true})
	}
	if len(out) == 0 {
		try(Loosening{Genres: true, Decade: true})
	}
	return out
}

// text names the filters.
func (l Loosening) text(w *words.Words) string {
	switch {
	case l.Genres && l.Decade:
		return w.AllGenres + ", " + w.AllDecades
	case l.Genres:
		return w.AllGenres
	}
	return w.AllDecades
}
