package ui

import (
	"github.com/pmlam/pmlam/ui/browser"
	"github.com/pmlam/pmlam/ui/icons"
	"github.com/pmlam/pmlam/ui/looks"
	"github.com/pmlam/pmlam/ui/offline"
	"github.com/pmlam/pmlam/ui/undo"
)

// Header is the top of the page: its name, purpose and privacy, the offer to undo, and the button for colours.
type Header struct {
	Looks   *looks.Looks
	Offline *offline.State
	Offer   *undo.Offer
	After   func() // called after each render
}

// Rendered is called after each render. Vugu tells only the direct children of the root.
func (c *Header) Rendered() {
	browser.AfterRender()
	c.After()
	c.Offer.Speak()
	c.Offer.Tasks.Stand()
}

func (c *Header) themeName() string {
	w := c.Looks.W
	return [...]string{w.ThemeAuto, w.ThemeLight, w.ThemeDark}[c.Looks.Settings().Theme]
}

func (c *Header) themeIcon() string {
	return [...]string{icons.Auto, icons.Light, icons.Dark}[c.Looks.Settings().Theme]
}

func (c *Header) nextTheme() { c.Looks.SetTheme(c.Looks.Settings().Theme + 1) }
