package history

// History lists all marks by time, each with an undo button, and shows how the taste got more certain.
type History struct {
	History *State
}

// tightened describes the chart.
func (c *History) tightened() string {
	s := c.History.variances
	return c.History.W.Tightened(s[len(s)-1] / s[0])
}
