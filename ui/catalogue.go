package ui

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/yield"
)

// Catalogue is the engine, with what the page works out of its items once.
type Catalogue struct {
	Engine recommend.Engine
	About  recommend.About

	owned
	genreGroups []uint8        // by item: the genre that it is coloured by
	decades     []int          // in which there are items, newest first
	until       int            // the latest year of an item; 0: none is known
	counts      map[string]int // by a view's fragment: how many titles it has
	regions     []string       // by region of the engine: what it is called in addresses; "": it has no name
}

// newCatalogue works out what the page needs of the items. O(I).
func newCatalogue(e recommend.Engine) Catalogue {
	c := Catalogue{Engine: e, About: e.About(), genreGroups: groupGenres(e), counts: map[string]int{}}
	yield.Now()
	c.decades, c.until = listDecades(e)
	c.regions = regionKeys(e.Regions())
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

// listDecades returns the decades in which the catalogue has items, newest first, and the latest year.
func listDecades(e recommend.Engine) (out []int, until int) {
	for i := range e.Len() {
		if i&1023 == 1023 {
			yield.Now()
		}
		y := e.Item(i).Year
		if y > 0 && !slices.Contains(out, y/10*10) {
			out = append(out, y/10*10)
		}
		until = max(until, y)
	}
	slices.Sort(out)
	slices.Reverse(out)
	return out, until
}

// regionKeys names the regions for addresses, alike in all languages and the next time that the model is trained:
// "1-Horror-1980" is that of the second level, "0-Comedy+Romance-1970..2000" is of 1970 to 1999, "0-..1960" all before.
// Where several are called so, each but the first has its number.
func regionKeys(all []model.Region) []string {
	keys, seen := make([]string, len(all)), map[string]int{}
	for i, r := range all {
		name := r.Words
		if name == "" && r.Claims() {
			if name = r.Genre; r.Or != "" {
				name += "+" + r.Or
			}
			name = strings.Trim(name+"-"+years(&r), "-")
		}
		if name == "" {
			continue
		}
		key := strconv.Itoa(r.Level) + "-" + name
		if seen[key]++; seen[key] > 1 {
			key += "-" + strconv.Itoa(seen[key])
		}
		keys[i] = key
	}
	return keys
}

// years writes the years of a region's name: "1980" for a decade, else "1970..2000", with nothing on the open side.
func years(r *model.Region) string {
	if r.From == 0 && r.To == 0 {
		return ""
	}
	if r.To == r.From+10 {
		return strconv.Itoa(r.From)
	}
	end := func(year int) string { return strings.TrimPrefix(strconv.Itoa(year), "0") }
	return end(r.From) + ".." + end(r.To)
}

// filter keeps what is of the view's genre, decade or region.
func (c *Catalogue) filter(v View) (f recommend.Filter) {
	switch v.Kind {
	case GenreView:
		f.Genres = []string{v.Genre}
	case DecadeView:
		f.FromYear, f.ToYear = v.Decade, v.Decade+9
	case RegionView:
		f.Region = slices.Index(c.regions, v.Region) + 1
	}
	return f
}

// count returns how many titles a view has. The catalogue does not change, so they are counted once.
func (c *Catalogue) count(v View) int {
	key := v.Fragment()
	n, known := c.counts[key]
	if !known {
		n = c.Engine.Count(recommend.Visit{}, c.filter(v))
		c.counts[key] = n
	}
	return n
}

// GenreClass returns the class that colours item i.
func (c *Catalogue) GenreClass(i int) string { return genreClass(c.genreGroups[i]) }
