package week

import (
	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/marking"
	"github.com/pmlam/pmlam/ui/markup"
)

// Week shows the pick for the week, the effect of liking it, and the marks of earlier picks.
type Week struct {
	Week    *State
	Marking *marking.Marking
}

// open reports whether the pick is still unmarked.
func (c *Week) open() bool { return c.Week.Mark(c.Week.Pick()) == keep.Unmarked }

// item is the pick, or −1 while it is not drawn.
func (c *Week) item() int { return c.Week.Pick() }

func (c *Week) title() string { return c.Week.Entry(c.item()).Title }
func (c *Week) year() string  { return markup.Year(c.Week.Entry(c.item()).Year) }

// reason says why this title, once known.
func (c *Week) reason() vugu.HTML {
	if c.item() != c.Week.of {
		return ""
	}
	return c.Week.list.Reason(c.Week.reason)
}

// fate counts the marked picks that the visitor liked; "" for fewer than two.
func (c *Week) fate() string {
	liked, marked := 0, 0
	for _, p := range c.Week.picks() {
		if m := c.Week.Mark(p.item); m != keep.Unmarked {
			marked++
			if m == keep.Liked {
				liked++
			}
		}
	}
	if marked < 2 {
		return ""
	}
	return c.Week.W.PicksLiked(liked, marked)
}

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
