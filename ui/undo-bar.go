package ui

import "github.com/pmlam/pmlam/ui/browser"

// UndoBar offers to take the latest change back.
type UndoBar struct {
	Offer *UndoState
	Map   *MapState
}

func (c *UndoBar) text() string {
	if c.Offer.Undo == nil {
		return ""
	}
	return c.Offer.Undo.Text
}

// Rendered is called after each render, once every other part of the page stands: this is the last component.
func (c *UndoBar) Rendered() {
	browser.AfterRender()
	c.Map.update()
	c.Offer.speak()
	c.Offer.stand()
}
