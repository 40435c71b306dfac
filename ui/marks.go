package ui

import "github.com/pmlam/pmlam/ui/keep"

// What the visitor marks, in the terms of package keep.
type (
	State    = keep.State
	Settings = keep.Settings
	Mark     = keep.Mark
)

// The marks.
const (
	Unmarked = keep.Unmarked
	LikedIt  = keep.Liked
	NotForMe = keep.NotForMe
	SeenIt   = keep.Seen
)

// Marks are the three marks of a title, as small buttons: Like, Not for me, Seen.
type Marks struct {
	Marking *Marking
	Item    int
}

func (c *Marks) title() string { return c.Marking.Item(c.Item).Title }

func (c *Marks) is(m Mark) string { return yes(c.Marking.Mark(c.Item) == m) }
