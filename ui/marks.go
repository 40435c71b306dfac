package ui

// Marks are the marks of a title, as small buttons: Like, Not for me, Seen, Keep for later.
type Marks struct {
	Marking *Marking
	Item    int
}

func (c *Marks) class(m Mark) string { return class("plain mark-button", "like", m == LikedIt) }
func (c *Marks) is(m Mark) string    { return yes(c.Marking.Mark(c.Item) == m) }
func (c *Marks) act(m Mark) string   { return [...]string{"like", "dislike", "seen", "later"}[m-LikedIt] }
func (c *Marks) icon(m Mark) string {
	return [...]string{iconLike, iconDislike, iconSeen, iconLater}[m-LikedIt]
}

func (c *Marks) name(m Mark) string {
	w := c.Marking.W
	return [...]string{w.Like, w.Dislike, w.Seen, w.ForLater}[m-LikedIt]
}

func (c *Marks) label(m Mark) string {
	w := c.Marking.W
	return [...]func(string) string{w.LikeTitle, w.DislikeTitle, w.SeenTitle, w.LaterTitle}[m-LikedIt](
		c.Marking.Item(c.Item).Title)
}
