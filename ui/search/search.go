package search

import (
	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/marking"
)

// Search finds titles as they are typed.
type Search struct {
	Search  *State
	Marking *marking.Marking
}

func (c *Search) typed(e vugu.DOMEvent) { c.Search.Search(e.PropString("target", "value")) }

func (c *Search) cleared() {
	c.Search.ClearSearch()
	browser.Focus("#search")
}

// advice is shown if no title is close either.
func (c *Search) advice() string {
	if len(c.Search.Found) > 0 {
		return ""
	}
	return c.Search.W.NoMatchAdvice
}
