package ui

// Marks are the three marks of a title, as small buttons: Like, Not for me, Seen.
type Marks struct {
	Marking *Marking
	Item    int
}

func (c *Marks) title() string { return c.Marking.Item(c.Item).Title }

func (c *Marks) is(m Mark) string { return yes(c.Marking.Mark(c.Item) == m) }
