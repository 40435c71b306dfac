package browser

// Announcements are texts for screen readers.
type Announcements struct {
	Announced     string // the latest
	AnnouncedTurn int    // counts them, so that the same text can be announced twice
	readTurn      int    // AnnouncedTurn of the last one that was handed to the browser
}

// Announce has screen readers read a text when they are idle.
func (a *Announcements) Announce(text string) {
	a.Announced = text
	a.AnnouncedTurn++
}

// Speak hands the latest announcement to the browser, once.
func (a *Announcements) Speak() {
	if a.readTurn != a.AnnouncedTurn {
		a.readTurn = a.AnnouncedTurn
		Say(a.Announced)
	}
}
