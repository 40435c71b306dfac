package ui

import (
	"github.com/pmlam/pmlam/ui/icons"
	"github.com/pmlam/pmlam/ui/looks"
	"github.com/pmlam/pmlam/ui/offline"
)

// Header is the top of the page: its name, purpose and privacy, and the button for colours.
type Header struct {
	Looks   *looks.Looks
	Offline *offline.State
}

func (c *Header) themeName() string {
	w := c.Looks.W
	return [...]string{w.ThemeAuto, w.ThemeLight, w.ThemeDark}[c.Looks.Settings().Theme]
}

func (c *Header) themeIcon() string {
	return [...]string{icons.Auto, icons.Light, icons.Dark}[c.Looks.Settings().Theme]
}

func (c *Header) nextTheme() { c.Looks.SetTheme(c.Looks.Settings().Theme + 1) }
