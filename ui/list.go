package ui

import "cmp"

// List is the ordered list of recommendations, or what another view shows in its place.
type List struct {
	List    *ListState
	Tuning  *TuningState
	People  *PeopleState
	Marking *Marking
}

func (c *List) heading() string { return c.List.heading() }

func (c *List) note() string {
	if len(c.List.Instead) > 0 {
		return c.List.W.DifferentNote
	}
	if c.List.Looking() {
		return c.List.W.SharedLeadsNote
	}
	return c.List.viewNote()
}

func (c *List) own() bool { return c.List.View.Kind == OwnView }

func (c *List) both() bool { return c.List.View.Kind == TogetherView }

// empty tells that the engine was asked and had nothing.
func (c *List) empty() bool {
	k := c.List.View.Kind
	return c.List.Asked && len(c.List.Titles) == 0 && k != BrowseView && (k != TogetherView || c.List.Log.Together())
}

func (c *List) emptyAdvice() string {
	switch {
	case len(c.List.Loosen) > 0:
		return c.List.W.NothingLeftAdvice
	case c.own():
		return c.List.W.NothingWithout
	}
	return ""
}

// ended tells that the list is as long as it gets though there is more.
func (c *List) ended() bool { return len(c.List.Titles) >= maxShown }

func (c *List) surprising() bool { return c.own() && c.List.Log.Settings.Exploration > 0 }

// different tells whether there is a list that something different can be shown in place of.
func (c *List) different() bool { return c.own() && len(c.List.Titles) > 0 }

// copyText is what came of copying the list, or the offer to.
func (c *List) copyText() string { return cmp.Or(c.List.Copied, c.List.W.ListCopy) }
