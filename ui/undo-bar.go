package ui

// UndoBar offers to take the latest change back.
type UndoBar struct {
	P *Page
}

func (c *UndoBar) text() string {
	if c.P.Undo == nil {
		return ""
	}
	return c.P.Undo.Text
}

// Rendered is called after each render, once every other part of the page stands: this is the last component.
func (c *UndoBar) Rendered() {
	afterRender()
	c.P.feedMap()
	c.P.speak()
}
