package ui

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/core/recommend"
)

// Search finds titles as they are typed.
type Search struct {
	P *Page
}

// Names in the search box: how many, and how long at most, in letters.
const (
	hinted   = 3
	hintLong = 8
)

// hint is what stands in the empty search box: the best-known titles that are short, so that what it names is there to be found;
// where there are not enough of those, the best-known one. O(I).
func hint(e recommend.Engine) string {
	best, short := -1, []int{}
	count := func(i int) int { return e.Item(i).Count }
	for i := range e.Len() {
		if best < 0 || count(i) > count(best) {
			best = i
		}
		if utf8.RuneCountInString(e.Item(i).Title) > hintLong {
			continue
		}
		at := len(short)
		for at > 0 && count(i) > count(short[at-1]) {
			at--
		}
		short = slices.Insert(short, at, i)
		short = short[:min(len(short), hinted)]
	}
	var titles []string
	for _, i := range short {
		titles = append(titles, e.Item(i).Title)
	}
	switch {
	case len(titles) == hinted:
		return strings.Join(titles, ", ") + " …"
	case best >= 0:
		return e.Item(best).Title
	}
	return ""
}

func (c *Search) typed(e vugu.DOMEvent) { c.P.Search(e.PropString("target", "value")) }

func (c *Search) cleared() {
	c.P.ClearSearch()
	focus("#search")
}

func (c *Search) noMatch() string { return c.P.W.NoMatch(c.P.W.isolate(c.P.Query), c.P.Engine.Len()) }
