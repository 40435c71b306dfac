package marking

import (
	"strconv"

	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/markup"
	"github.com/pmlam/pmlam/ui/words"
)

// Row is a title in a short list: a search result with its marks, or a marked title with its stars and a button to
// remove the mark.
type Row struct {
	Marking *Marking
	Item    int
	Marks   bool
	Of      string // the visitor's own list that the row is in; "": none
}

// later reports whether the row is in the list of titles kept for later.
func (c *Row) later() bool    { return !c.Marks && c.Marking.Mark(c.Item) == keep.Later }
func (c *Row) key() string    { return "row" + c.number() }
func (c *Row) number() string { return strconv.Itoa(c.Item) }
func (c *Row) title() string  { return c.Marking.Entry(c.Item).Title }
func (c *Row) year() string   { return markup.Year(c.Marking.Entry(c.Item).Year) }

// rates reports whether the row has the button that shows the stars and opens the details.
func (c *Row) rates() bool { return !c.Marks && c.Of == "" }
func (c *Row) open() bool  { return c.rates() && c.Marking.Detailed == c.Item }

// stars is the rating, or "".
func (c *Row) stars() string {
	if s := c.Marking.Now().Details[c.Item].Stars; s > 0 {
		return c.Marking.W.Stars(float64(s) / 2)
	}
	return ""
}

// rateLabel names the button, with the rating if there is one.
func (c *Row) rateLabel() string {
	w := c.Marking.W
	if s := c.Marking.Now().Details[c.Item].Stars; s > 0 {
		return words.Fill(w.RatedAs, c.title(), w.OfFive(s))
	}
	return w.RateTitle(c.title())
}

// remove removes the title's mark, or takes the title off the list.
func (c *Row) remove() {
	if c.Of != "" {
		c.Marking.TakeOff(c.Item, c.Of)
		return
	}
	c.Marking.Remove(c.Item)
}
