package marking

import (
	"github.com/pmlam/pmlam/ui/icons"
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/markup"
)

// Marks are a title's marks as small buttons: Like, Not for me, Seen, Later.
type Marks struct {
	Marking *Marking
	Item    int
}

func (c *Marks) class(m keep.Mark) string {
	return markup.Class("plain mark-button", "like", m == keep.Liked)
}
func (c *Marks) is(m keep.Mark) string { return markup.Yes(c.Marking.Mark(c.Item) == m) }
func (c *Marks) act(m keep.Mark) string {
	return [...]string{"like", "dislike", "seen", "later"}[m-keep.Liked]
}
func (c *Marks) icon(m keep.Mark) string {
	return [...]string{icons.Like, icons.Dislike, icons.Seen, icons.Later}[m-keep.Liked]
}

func (c *Marks) name(m keep.Mark) string {
	w := c.Marking.W
	return [...]string{w.Like, w.Dislike, w.Seen, w.ForLater}[m-keep.Liked]
}

func (c *Marks) label(m keep.Mark) string {
	w := c.Marking.W
	return [...]func(string) string{w.LikeTitle, w.DislikeTitle, w.SeenTitle, w.LaterTitle}[m-keep.Liked](
		c.Marking.Entry(c.Item).Title)
}
