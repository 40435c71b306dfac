package search

import (
	"strings"

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

// advice is shown if no title matches.
func (c *Search) advice() string {
	advice := ""
	if len(c.Search.Found) == 0 {
		advice = c.Search.W.NoMatchAdvice
	}
	if c.Search.translated() {
		advice += " " + c.Search.W.OtherNames
	}
	return strings.TrimSpace(advice)
}
