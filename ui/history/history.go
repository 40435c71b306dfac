package history

// History lists all marks by their moment, each with an undo button, and shows how the taste tightened.
type History struct {
	History *State
}

// tightened describes the picture.
func (c *History) tightened() string {
	s := c.History.variances
	return c.History.W.Tightened(s[len(s)-1] / s[0])
}
