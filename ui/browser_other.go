//go:build !(js && wasm)

package ui

import js "github.com/vugu/vugu/js"

// Without a browser there is nothing to colour, focus or paint; what the page shows is the same.

func setTheme(uint8) {}

// setLanguage speaks what is asked for.
func setLanguage(tag string) string  { return tag }
func chosenLanguage() (string, bool) { return "", false }
func documentLanguage() string       { return "" }

func say(string)    {}
func beforeRender() {}
func afterRender()  {}
func focus(string)  {}
func breathe()      {}
func awake()        {}
func painted()      {}

// Rest lets others in where the program has worked for a while; here nobody waits.
func Rest() {}

func setAddress(string)       {}
func setTitle(string)         {}
func (p *Page) watchAddress() {}

type painter struct{}

func restart()                  {}
func (p *Page) watchOffline()   {}
func (p *Page) mount(js.Value)  {}
func (p *Page) feedMap()        { p.feed.dirty = 0 }
func (p *Page) zoomMap(float64) {}
func (p *Page) homeMap()        {}
func (p *Page) SavePicture()    {}
