//go:build js && wasm

package ui

import "syscall/js"

// takeShared has assets/js/share.js hand over a taste that comes with the page's address, now or later.
func (p *Page) takeShared() {
	call("takeShared", js.FuncOf(func(_ js.Value, args []js.Value) any {
		fragment := args[0].String()
		go func() {
			p.env.Lock()
			p.Receive(fragment)
			p.env.UnlockRender()
		}()
		return nil
	}))
}

// dropShared forgets the taste that came with the page's address.
func dropShared() { call("dropShared") }

// address is the page's own, without a fragment.
func address() string {
	if s := scripts(); s.Truthy() && s.Get("address").Truthy() {
		return s.Call("address").String()
	}
	return ""
}

// answered returns a function that the scripts call once: then is called with what they say, in a goroutine that holds the
// render lock.
func (p *Page) answered(then func(js.Value)) js.Func {
	var f js.Func
	f = js.FuncOf(func(_ js.Value, args []js.Value) any {
		f.Release()
		said := args[0]
		go func() {
			p.env.Lock()
			then(said)
			p.env.UnlockRender()
		}()
		return nil
	})
	return f
}

// handOut shares a text, or a link, or copies it, and calls then with the render lock held.
func (p *Page) handOut(title, text string, link bool, then func(how handed)) {
	call("share", title, text, link, p.answered(func(how js.Value) { then(handed(how.String())) }))
}

// paint has the map painted as a picture, and saved; then is called with the render lock held.
func (p *Page) paint(c *picture, then func(saved bool)) {
	if p.feed.painter == nil {
		return
	}
	legend := make([]any, len(c.legend))
	for i, l := range c.legend {
		legend[i] = map[string]any{"name": l.name, "group": int(l.group), "faint": l.faint}
	}
	notes := make([]any, len(c.notes))
	for i, s := range c.notes {
		notes[i] = s
	}
	what := map[string]any{"file": c.file, "title": c.title, "legend": legend, "notes": notes}
	p.feed.painter.m.Call("picture", what, p.answered(func(saved js.Value) { then(saved.Bool()) }))
}
