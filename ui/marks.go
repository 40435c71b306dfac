package ui

// Marks are the three things to say of a title, as small buttons: Like, Not for me, Seen.
type Marks struct {
	P    *Page
	Item int
}

func (c *Marks) title() string { return c.P.Item(c.Item).Title }

func (c *Marks) is(m Mark) string { return yes(c.P.Mark(c.Item) == m) }
