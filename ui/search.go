package ui

import (
	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/ui/browser"
)

// Search finds titles as they are typed.
type Search struct {
	Search  *SearchState
	Marking *Marking
}

func (c *Search) typed(e vugu.DOMEvent) { c.Search.Search(e.PropString("target", "value")) }

func (c *Search) cleared() {
	c.Search.ClearSearch()
	browser.Focus("#search")
}

func (c *Search) noMatch() string {
	return c.Search.W.NoMatch(c.Search.W.Isolate(c.Search.Query), c.Search.Engine.Len())
}
