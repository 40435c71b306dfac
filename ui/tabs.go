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

// Tabs chooses what a narrow screen shows.
type Tabs struct {
	Tabs *TabState
}

func (c *Tabs) tabs() []Tab { return []Tab{TabNext, TabMap, TabTaste, TabData} }

func (c *Tabs) name(t Tab) string {
	w := c.Tabs.W
	return [...]string{w.TabNext, w.TabMap, w.TabTaste, w.TabData}[t]
}

func (c *Tabs) icon(t Tab) string { return [...]string{iconNext, iconMap, iconLike, iconData}[t] }

func (c *Tabs) class(t Tab) string { return [...]string{"tab", "tab tab-map", "tab", "tab"}[t] }

// current is "page" for the tab that is shown, which is how assistive technology knows it.
func (c *Tabs) current(t Tab) string {
	if c.Tabs.Tab == t {
		return "page"
	}
	return "false"
}
