package ui

// Shelf is what stands over the titles of a view: the orders of a genre or decade, all of them to choose from, or who the
// titles are for.
type Shelf struct {
	P *Page
}

func (c *Shelf) hub() bool  { return c.P.View.Kind == BrowseView }
func (c *Shelf) both() bool { return c.P.View.Kind == TogetherView }
