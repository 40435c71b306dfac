//go:build !(js && wasm)

package ui

// Without a browser nothing comes with an address, and nothing can be handed out.

func (p *Page) takeShared()          {}
func dropShared()                    {}
func (p *Page) handLink(_, _ string) {}
func (p *Page) handList(_, _ string) {}
