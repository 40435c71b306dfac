package ui

// List is the ordered list of recommendations, or of titles like one title.
type List struct {
	P *Page
}

func (c *List) heading() string {
	if c.P.Similar >= 0 {
		return c.P.W.Similar(c.P.W.isolate(c.P.Item(c.P.Similar).Title))
	}
	if c.P.Looking() {
		return c.P.W.SharedLeads
	}
	return c.P.W.Next
}

func (c *List) note() string {
	if c.P.Similar >= 0 {
		return c.P.W.SimilarNote
	}
	if c.P.Looking() {
		return c.P.W.SharedLeadsNote
	}
	return c.P.W.ModeNotes[c.P.Mode()]
}

// empty tells that the engine was asked and had nothing.
func (c *List) empty() bool { return c.P.Asked && len(c.P.List) == 0 }

func (c *List) emptyAdvice() string {
	if len(c.P.Loosen) > 0 {
		return c.P.W.NothingLeftAdvice
	}
	return c.P.W.NothingWithout
}

// ended tells that the list is as long as it gets though there is more.
func (c *List) ended() bool { return len(c.P.List) >= maxShown }

func (c *List) surprising() bool { return c.P.Similar < 0 && c.P.State.Settings.Exploration > 0 }
