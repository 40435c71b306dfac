package ui

import "github.com/vugu/vugu"

// Search finds titles as they are typed.
type Search struct {
	P *Page
}

func (c *Search) typed(e vugu.DOMEvent) { c.P.Search(e.PropString("target", "value")) }

func (c *Search) cleared() {
	c.P.ClearSearch()
	focus("#search")
}

func (c *Search) noMatch() string { return c.P.W.NoMatch(c.P.W.isolate(c.P.Query), c.P.Engine.Len()) }
