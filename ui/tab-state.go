package ui

// Tab is the part of the page that a narrow screen shows.
type Tab uint8

// The tabs, in the order of the tab bar.
const (
	TabNext Tab = iota
	TabMap
	TabTaste
	TabData
)

// TabState is which tab is shown.
type TabState struct {
	*Session
	Tab Tab
}

// SetTab shows another part of the page on a narrow screen.
func (t *TabState) SetTab(tab Tab) {
	t.Tab = tab
	t.feed.dirty |= feedSize
}
