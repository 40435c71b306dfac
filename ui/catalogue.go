package ui

import (
	"slices"
	"strconv"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/yield"
)

// Catalogue is the engine, with what the page works out of its items once.
type Catalogue struct {
	Engine recommend.Engine
	About  recommend.About

	genreGroups []uint8        // by item: the genre that it is coloured by
	decades     []int          // in which there are items, newest first
	counts      map[string]int // by a view's fragment: how many titles it has
}

// newCatalogue works out what the page needs of the items. O(I).
func newCatalogue(e recommend.Engine) Catalogue {
	c := Catalogue{Engine: e, About: e.About(), genreGroups: groupGenres(e), counts: map[string]int{}}
	yield.Now()
	c.decades = listDecades(e)
	return c
}

// Item returns the catalogue's entry.
func (c *Catalogue) Item(i int) *catalogue.Item { return c.Engine.Item(i) }

// titled returns "Heat, 1995".
func titled(it *catalogue.Item) string {
	if it.Year == 0 {
		return it.Title
	}
	return it.Title + ", " + strconv.Itoa(it.Year)
}

// listDecades returns the decades in which the catalogue has items, newest first.
func listDecades(e recommend.Engine) []int {
	var out []int
	for i := range e.Len() {
		if i&1023 == 1023 {
			yield.Now()
		}
		if y := e.Item(i).Year; y > 0 && !slices.Contains(out, y/10*10) {
			out = append(out, y/10*10)
		}
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out
}

// count returns how many titles a view has. The catalogue does not change, so they are counted once.
func (c *Catalogue) count(v View) int {
	key := v.Fragment()
	n, known := c.counts[key]
	if !known {
		n = c.Engine.Count(recommend.Visit{}, v.filter())
		c.counts[key] = n
	}
	return n
}

// GenreClass returns the class that colours item i.
func (c *Catalogue) GenreClass(i int) string { return genreClass(c.genreGroups[i]) }
