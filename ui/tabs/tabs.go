package tabs

import "github.com/pmlam/pmlam/ui/icons"

// Tabs chooses the part of the page that a narrow screen shows.
type Tabs struct {
	Tabs *State
}

func (c *Tabs) tabs() []Tab { return []Tab{Next, Map, Taste, Data} }

func (c *Tabs) name(t Tab) string {
	w := c.Tabs.W
	return [...]string{w.TabNext, w.TabMap, w.TabTaste, w.TabData}[t]
}

func (c *Tabs) icon(t Tab) string {
	return [...]string{icons.Next, icons.Map, icons.Like, icons.Data}[t]
}

func (c *Tabs) class(t Tab) string { return [...]string{"tab", "tab tab-map", "tab", "tab"}[t] }

// current is "page" for the tab that is shown, which is how assistive technology knows it.
func (c *Tabs) current(t Tab) string {
	if c.Tabs.Tab == t {
		return "page"
	}
	return "false"
}
