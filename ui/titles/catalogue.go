package titles

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pmlam/pmlam/core/catalogue"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/yield"
	"github.com/pmlam/pmlam/ui/address"
)

// Owner holds the owner's settings about titles beyond words.Owner: texts with columns of the catalogue in braces, such
// as "https://shop.example/{id}". The zero value sets nothing.
type Owner struct {
	Places   string // names and addresses on other sites: "IMDb https://www.imdb.com/title/tt{imdbId}/; Our shop …"
	Pictures string // address of a title's picture
	Price    string // text on each card
}

// Catalogue is the engine, with the page's own tables of its items.
type Catalogue struct {
	Engine recommend.Engine
	About  recommend.About

	Decades []int    // those with items, newest first
	Until   int      // the latest year of an item; 0: unknown
	Regions []string // names of the engine's regions in addresses; "": unnamed

	places      []elsewhere
	owner       Owner
	genreGroups []uint8        // the genre that colours each item
	counts      map[string]int // the number of titles of a view, by its fragment
}

// New builds the tables. O(items).
func New(e recommend.Engine, owner Owner) *Catalogue {
	c := &Catalogue{Engine: e, About: e.About(), owner: owner, places: readPlaces(owner.Places),
		genreGroups: groupGenres(e), counts: map[string]int{}}
	yield.Now()
	c.Decades, c.Until = listDecades(e)
	c.Regions = regionKeys(e.Regions())
	return c
}

// Entry returns item i of the catalogue.
func (c *Catalogue) Entry(i int) *catalogue.Item { return c.Engine.Item(i) }

// Titled returns a title with its year, such as "Heat, 1995".
func Titled(it *catalogue.Item) string {
	if it.Year == 0 {
		return it.Title
	}
	return it.Title + ", " + strconv.Itoa(it.Year)
}

// listDecades returns the decades that have items, newest first, and the latest year.
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

// regionKeys names the regions for addresses, independent of the language and stable across trainings. "1-Horror-1980"
// is of the second level, "0-Comedy+Romance-1970..2000" is 1970 to 1999, "0-..1960" is everything before 1960,
// "2-Alien+The Thing" lies around these two. From the second on, regions of equal name get a number.
func regionKeys(all []model.Region) []string {
	keys, seen := make([]string, len(all)), map[string]int{}
	for i, r := range all {
		if !r.Claims() {
			continue
		}
		facts := r.Facts()
		if a, b, ok := r.Around(); ok {
			facts = []string{a, b}
		}
		name := strings.Trim(strings.Join(facts, "+")+"-"+years(&r), "-")
		key := strconv.Itoa(r.Level) + "-" + name
		if seen[key]++; seen[key] > 1 {
			key += "-" + strconv.Itoa(seen[key])
		}
		keys[i] = key
	}
	return keys
}

// years writes the years of a region's key: "1980" for a decade, otherwise "1970..2000", with an open end left empty.
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

// Filter selects the titles of the view's genre, decade or region.
func (c *Catalogue) Filter(v address.View) (f recommend.Filter) {
	switch v.Kind {
	case address.Genre:
		f.Genres = []string{v.Genre}
	case address.Decade:
		f.FromYear, f.ToYear = v.Decade, v.Decade+9
	case address.Region:
		f.Region = slices.Index(c.Regions, v.Region) + 1
	}
	return f
}

// Count returns the number of titles of a view. Counts are cached: the catalogue does not change.
func (c *Catalogue) Count(v address.View) int {
	key := v.Fragment()
	n, known := c.counts[key]
	if !known {
		n = c.Engine.Count(recommend.Visit{}, c.Filter(v))
		c.counts[key] = n
	}
	return n
}

// Known reports whether the catalogue has the genre or the region of a view.
func (c *Catalogue) Known(v address.View) bool {
	switch v.Kind {
	case address.Genre:
		return c.Engine.Count(recommend.Visit{}, recommend.Filter{Genres: []string{v.Genre}}) > 0
	case address.Region:
		return slices.Contains(c.Regions, v.Region)
	}
	return true
}

// GenreClass returns the CSS class of item i's colour.
func (c *Catalogue) GenreClass(i int) string { return GenreClass(c.genreGroups[i]) }

// Group returns the genre that colours item i, as its rank in Engine.Genres, or NoGenre.
func (c *Catalogue) Group(i int) uint8 { return c.genreGroups[i] }
