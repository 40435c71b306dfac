package undo

import "github.com/pmlam/pmlam/ui/browser"

// Bar offers to take the latest change back.
type Bar struct {
	Offer *Offer
	After func() // called after each render
}

func (c *Bar) text() string {
	if c.Offer.Undo == nil {
		return ""
	}
	return c.Offer.Undo.Text
}

// Rendered is called after each render, once every other part of the page stands: this is the last component.
func (c *Bar) Rendered() {
	browser.AfterRender()
	c.After()
	c.Offer.Speak()
	c.Offer.Tasks.Stand()
}
