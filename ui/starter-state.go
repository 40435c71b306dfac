package ui

// StarterState is which well-known titles are shown.
type StarterState struct {
	*Session
	items []int // of the page; nil: they have not been asked for
	page  int
}

// startersOf is how many are shown.
const startersOf = 12

// OtherStarters shows other titles to start from.
func (s *StarterState) OtherStarters() {
	s.show(s.page + 1)
}

func (s *StarterState) show(page int) { s.page, s.items = page, nil }

// Items returns the titles. Visitors who have a list do not see them, so they are found when they are first shown.
func (s *StarterState) Items() []int {
	if s.items == nil {
		s.items = s.Engine.Starters(startersOf, s.page)
	}
	return s.items
}
