package marking

import (
	"strconv"

	"github.com/pmlam/pmlam/ui/keep"
	"github.com/pmlam/pmlam/ui/markup"
)

// Row is a title in a short list: a search result with its marks, or a marked title with a button to remove the mark.
type Row struct {
	Marking *Marking
	Item    int
	Marks   bool
}

// later reports whether the row is in the list of titles kept for later.
func (c *Row) later() bool   { return !c.Marks && c.Marking.Mark(c.Item) == keep.Later }
func (c *Row) key() string   { return "row" + strconv.Itoa(c.Item) }
func (c *Row) title() string { return c.Marking.Entry(c.Item).Title }
func (c *Row) year() string  { return markup.Year(c.Marking.Entry(c.Item).Year) }
