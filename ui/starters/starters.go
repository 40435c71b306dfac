package starters

import (
	"strconv"

	"github.com/pmlam/pmlam/ui/importing"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/list"
	"github.com/pmlam/pmlam/ui/markup"
)

// Starters are the first visit's invitation: twelve well-known titles to pick three from.
type Starters struct {
	Starters *State
	List     *list.State
	Import   *importing.State
}

func (c *Starters) title(i int) string { return c.Starters.Entry(i).Title }
func (c *Starters) key(i int) string   { return "start" + strconv.Itoa(i) }
func (c *Starters) picked(i int) bool  { return c.Starters.Mark(i) == keep.Liked }
func (c *Starters) dot(n int) string {
	return markup.Class("dot", "on", len(c.Starters.Now().Visit.Likes) > n)
}

// lead describes the catalogue, its latest year, and the purpose of picking.
func (c *Starters) lead() string {
	s := c.Starters
	return s.W.Holds(s.Engine.Len(), s.Until) + " " + s.W.PickThreeWhy
}

func (c *Starters) progress() string {
	return c.Starters.W.Picked(len(c.Starters.Now().Visit.Likes))
}
