package tabs

import "github.com/pmlam/pmlam/ui/icons"

// Tabs is the bar of tabs.
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

// current returns "page" for the current tab, a value of aria-current.
func (c *Tabs) current(t Tab) string {
	if c.Tabs.Tab == t {
		return "page"
	}
	return "false"
}
