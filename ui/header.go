package ui

// Header is the head of the page: whose it is, what it is for, that it is private, and the colours.
type Header struct {
	P *Page
}

func (c *Header) themeName() string {
	w := c.P.W
	return [...]string{w.ThemeAuto, w.ThemeLight, w.ThemeDark}[c.P.Log.Settings.Theme]
}

func (c *Header) themeIcon() string {
	return [...]string{iconAuto, iconLight, iconDark}[c.P.Log.Settings.Theme]
}

func (c *Header) nextTheme() { c.P.SetTheme(c.P.Log.Settings.Theme + 1) }
