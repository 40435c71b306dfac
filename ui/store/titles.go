package store

import (
	"cmp"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/titles"
)

// Titled returns "Heat, 1995", for use alone or within a sentence.
func (s *Store) Titled(i int) string { return s.W.Isolate(titles.Titled(s.Entry(i))) }

// Named returns the title of item i, for a sentence.
func (s *Store) Named(i int) string { return s.W.Isolate(s.Entry(i).Title) }

// Called returns one person's name.
func (s *Store) Called(who int) string {
	if who == 1 {
		return s.Other()
	}
	return cmp.Or(s.Settings().Person, s.W.You)
}

// GenreNames returns an item's genres in the page's language.
func (s *Store) GenreNames(i int) []string {
	var names []string
	for _, g := range s.Genres(i) {
		names = append(names, s.W.GenreName(g))
	}
	return names
}

// RegionName returns the name of the map's region i in the page's language, such as "1980s horror" or "Around Alien and
// The Thing", or "".
func (s *Store) RegionName(i int) string {
	r := &s.Engine.Regions()[i]
	if s.Regions[i] == "" {
		return ""
	}
	if a, b, ok := r.Around(); ok {
		return s.W.Around(a, b)
	}
	return s.W.RegionName(r.Facts(), r.From, r.To)
}

// GenreList returns the genres that have a filter, most frequent first.
func (s *Store) GenreList() []titles.Genre {
	all := s.Engine.Genres()
	out := make([]titles.Genre, 0, len(all))
	for i, g := range all {
		if titles.IsFormat(g) || i >= titles.NoGenre {
			continue
		}
		out = append(out, titles.Genre{Name: g, Label: s.W.GenreName(g), Class: titles.GenreClass(uint8(i)),
			Path: titles.ShapePaths[titles.GenreShape(uint8(i))]})
	}
	return out
}

// Price returns the owner's text for item i in the visitor's language, or "" if the item lacks one of its columns.
func (s *Store) Price(i int) string { return browser.Money(s.Catalogue.Price(i), s.W.Tag) }

// Face is the content of a title's tile as HTML, with its price.
func (s *Store) Face(i int) vugu.HTML { return s.Catalogue.Face(i, s.Price(i)) }

// Elsewhere returns links to item i on other sites as HTML, or "".
func (s *Store) Elsewhere(i int) vugu.HTML { return s.Where(s.W.Where, i) }
