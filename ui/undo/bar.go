package undo

import "github.com/pmlam/pmlam/ui/browser"

// Bar offers to undo the latest change.
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

// Rendered is called after each render, after all other parts of the page: this is the last component.
func (c *Bar) Rendered() {
	browser.AfterRender()
	c.After()
	c.Offer.Speak()
	c.Offer.Tasks.Stand()
}
