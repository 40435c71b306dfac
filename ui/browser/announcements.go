package browser

// Announcements are texts for screen readers.
type Announcements struct {
	Announced     string // the latest text
	AnnouncedTurn int    // counts texts, so that the same one can be announced twice
	readTurn      int    // AnnouncedTurn of the last text given to the browser
}

// Announce queues a text for screen readers.
func (a *Announcements) Announce(text string) {
	a.Announced = text
	a.AnnouncedTurn++
}

// Speak gives the latest text to the browser, once.
func (a *Announcements) Speak() {
	if a.readTurn != a.AnnouncedTurn {
		a.readTurn = a.AnnouncedTurn
		Say(a.Announced)
	}
}
