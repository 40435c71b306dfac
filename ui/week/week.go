package week

import (
	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/marking"
)

// Week shows the pick for the week, the effect of liking it, and the marks of earlier picks.
type Week struct {
	Week    *State
	Marking *marking.Marking
}

// open reports whether the pick is still unmarked.
func (c *Week) open() bool { return c.Week.Mark(c.Week.Pick()) == keep.Unmarked }

// change describes the effect of liking the pick, once known.
func (c *Week) change() string {
	if c.Week.Pick() != c.Week.of {
		return ""
	}
	return c.Week.list.OneMore(c.Week.change)
}

// shownPicks is the number of earlier picks that are named.
const shownPicks = 4

func (c *Week) earlier() string {
	var out []string
	w, picks := c.Week.W, c.Week.picks()
	for k := len(picks) - 2; k >= 0 && len(out) < shownPicks; k-- {
		became := w.NothingYet
		if m := c.Week.Mark(picks[k].item); m != keep.Unmarked {
			became = w.MarkedAs[m-keep.Liked]
		}
		out = append(out, c.Week.Titled(picks[k].item)+" ("+became+")")
	}
	if out == nil {
		return ""
	}
	return w.EarlierPicks + " " + w.Join(out)
}
