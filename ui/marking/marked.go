package marking

import "github.com/pmlam/pmlam/ui/keep"

// Marked is the list of titles with one mark, latest first.
type Marked struct {
	Marking *Marking
	Of      keep.Mark
}

// fewMarked titles are shown before "show all", and manyMarked after it: every event builds the whole page.
const (
	fewMarked  = 8
	manyMarked = 100
)

func (c *Marked) all() []int { return c.Marking.Now().Items[c.Of] }

// Shown returns the listed titles, latest first.
func (c *Marked) Shown() []int {
	all := c.all()
	n := fewMarked
	if c.Marking.All[c.Of] {
		n = manyMarked
	}
	out := make([]int, 0, n)
	for k := len(all) - 1; k >= 0 && len(out) < n; k-- {
		out = append(out, all[k])
	}
	return out
}

func (c *Marked) heading() string {
	w := c.Marking.W
	return [...]string{"", w.LikesHeading, w.DislikesHeading, w.SeenHeading, w.LaterHeading}[c.Of]
}

func (c *Marked) count() string { return c.Marking.W.Number(len(c.all())) }
func (c *Marked) more() bool    { return len(c.all()) > fewMarked }

func (c *Marked) toggle() string {
	if c.Marking.All[c.Of] {
		return c.Marking.W.ShowFewer
	}
	return c.Marking.W.ShowAll(len(c.all()))
}
