package undo

// Bar offers to undo the latest change.
type Bar struct {
	Offer *Offer
}

func (c *Bar) text() string {
	if c.Offer.Undo == nil {
		return ""
	}
	return c.Offer.Undo.Text
}
