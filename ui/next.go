package ui

// Next is the middle of the page: the first visit's invitation, the controls and the list.
type Next struct {
	P *Page
}

// stage is the listing's key. When the invitation goes, the list takes its place with new elements, which do not count
// as elements that have moved.
func (c *Next) stage() string {
	if c.P.List.NeedsOnboarding() {
		return "picking"
	}
	return "picked"
}
