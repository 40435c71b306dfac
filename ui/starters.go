package ui

import (
	"strconv"
	"strings"
)

// Starters are the first visit's invitation: twelve well-known titles to pick three from.
type Starters struct {
	P *Page
}

func (c *Starters) title(i int) string { return c.P.Item(i).Title }
func (c *Starters) year(i int) string  { return year(c.P.Item(i).Year) }
func (c *Starters) key(i int) string   { return "start" + strconv.Itoa(i) }
func (c *Starters) picked(i int) bool  { return c.P.Mark(i) == LikedIt }
func (c *Starters) dot(n int) string   { return class("dot", "on", len(c.P.Log.Now().Visit.Likes) > n) }
func (c *Starters) progress() string   { return c.P.W.Picked(len(c.P.Log.Now().Visit.Likes)) }
func (c *Starters) tile(i int) string  { return "starter " + c.P.GenreClass(i) }

// brief is the title without its other name in brackets: it has to fit on a tile.
func (c *Starters) brief(i int) string {
	head, _, _ := strings.Cut(c.title(i), " (")
	return head
}
