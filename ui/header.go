package ui

// Header is the head of the page: whose it is, what it is for, that it is private, and the colours.
type Header struct {
	Looks   *Looks
	Offline *OfflineState
}

func (c *Header) themeName() string {
	w := c.Looks.W
	return [...]string{w.ThemeAuto, w.ThemeLight, w.ThemeDark}[c.Looks.Log.Settings.Theme]
}

func (c *Header) themeIcon() string {
	return [...]string{iconAuto, iconLight, iconDark}[c.Looks.Log.Settings.Theme]
}

func (c *Header) nextTheme() { c.Looks.SetTheme(c.Looks.Log.Settings.Theme + 1) }
