package ui

import "strconv"

// Starters are the first visit's invitation: twelve well-known titles to pick three from.
type Starters struct {
	Starters *StarterState
	Marking  *Marking
	List     *ListState
	Import   *Importing
}

func (c *Starters) title(i int) string { return c.Starters.Item(i).Title }
func (c *Starters) key(i int) string   { return "start" + strconv.Itoa(i) }
func (c *Starters) picked(i int) bool  { return c.Starters.Mark(i) == LikedIt }
func (c *Starters) dot(n int) string {
	return class("dot", "on", len(c.Starters.Log.Now().Visit.Likes) > n)
}

// lead says what there is to pick from, until when, and what picking is for.
func (c *Starters) lead() string {
	s := c.Starters
	return s.W.Holds(s.W.Nouns, s.Engine.Len(), s.until) + " " + s.W.PickThreeWhy
}

func (c *Starters) progress() string {
	return c.Starters.W.Picked(len(c.Starters.Log.Now().Visit.Likes))
}
