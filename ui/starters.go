package ui

import (
	"strconv"
	"strings"
)

// Starters are the first visit's invitation: twelve well-known titles to pick three from.
type Starters struct {
	Starters *StarterState
	Marking  *Marking
	List     *ListState
	Import   *Importing
}

func (c *Starters) title(i int) string { return c.Starters.Item(i).Title }
func (c *Starters) year(i int) string  { return year(c.Starters.Item(i).Year) }
func (c *Starters) key(i int) string   { return "start" + strconv.Itoa(i) }
func (c *Starters) picked(i int) bool  { return c.Starters.Mark(i) == LikedIt }
func (c *Starters) dot(n int) string {
	return class("dot", "on", len(c.Starters.Log.Now().Visit.Likes) > n)
}
func (c *Starters) progress() string {
	return c.Starters.W.Picked(len(c.Starters.Log.Now().Visit.Likes))
}
func (c *Starters) tile(i int) string { return "starter " + c.Starters.GenreClass(i) }

// brief is the title without its other name in brackets: it has to fit on a tile.
func (c *Starters) brief(i int) string {
	head, _, _ := strings.Cut(c.title(i), " (")
	return head
}
