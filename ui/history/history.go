package history

// History is what was said when, each step to be taken back, and how the taste tightened.
type History struct {
	History *State
}

// tightened says what the picture shows.
func (c *History) tightened() string {
	s := c.History.variances
	return c.History.W.Tightened(s[len(s)-1] / s[0])
}
