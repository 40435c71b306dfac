//go:build !(js && wasm)

package ui

// Without a browser nothing comes with an address, and nothing can be handed out or painted.

func (p *Page) takeShared() {}
func dropShared()           {}
func address() string       { return "" }

func (p *Page) handOut(_, _ string, _ bool, _ func(how handed)) {}
func (p *Page) paint(*picture, func(saved bool))                {}
