package ui

// List is the ordered list of recommendations, or what another view shows in its place.
type List struct {
	P *Page
}

func (c *List) heading() string { return c.P.heading() }

func (c *List) note() string {
	if len(c.P.Instead) > 0 {
		return c.P.W.DifferentNote
	}
	if c.P.Looking() {
		return c.P.W.SharedLeadsNote
	}
	return c.P.viewNote()
}

func (c *List) own() bool { return c.P.View.Kind == OwnView }

func (c *List) both() bool { return c.P.View.Kind == TogetherView }

// empty tells that the engine was asked and had nothing.
func (c *List) empty() bool {
	k := c.P.View.Kind
	return c.P.Asked && len(c.P.List) == 0 && k != BrowseView && (k != TogetherView || c.P.Log.Together())
}

func (c *List) emptyAdvice() string {
	switch {
	case len(c.P.Loosen) > 0:
		return c.P.W.NothingLeftAdvice
	case c.own():
		return c.P.W.NothingWithout
	}
	return ""
}

// ended tells that the list is as long as it gets though there is more.
func (c *List) ended() bool { return len(c.P.List) >= maxShown }

func (c *List) surprising() bool { return c.own() && c.P.Log.Settings.Exploration > 0 }

// different tells whether there is a list that something different can be shown in place of.
func (c *List) different() bool { return c.own() && len(c.P.List) > 0 }
