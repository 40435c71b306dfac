package ui

// StarterState is which well-known titles are shown.
type StarterState struct {
	*Session
	Items []int
	page  int
}

// startersOf is how many are shown.
const startersOf = 12

// OtherStarters shows other titles to start from.
func (s *StarterState) OtherStarters() {
	s.show(s.page + 1)
}

func (s *StarterState) show(page int) {
	s.page, s.Items = page, s.Engine.Starters(startersOf, page)
}
