//go:build js && wasm

package ui

import "syscall/js"

// takeShared has assets/js/page/share.js hand over a taste that comes with the page's address ("taste"), now or later, and tell
// what came of a link or a list that was handed out.
func (p *Page) takeShared() {
	call("takeShared", js.FuncOf(func(_ js.Value, args []js.Value) any {
		what, text := args[0].String(), args[1].String()
		go func() {
			p.env.Lock()
			if what == "taste" {
				p.Receive(text)
			} else {
				p.handed(what == "link", text)
			}
			p.env.UnlockRender()
		}()
		return nil
	}))
}

// dropShared forgets the taste that came with the page's address.
func dropShared() { call("dropShared") }

// handLink shares the page's address with that fragment, copies it, or shows it to be copied by hand, and says which.
func (p *Page) handLink(fragment, more string) {
	call("shareLink", p.Name, fragment, p.W.ShareCopied+more, p.W.ShareByHand+more, p.W.Close)
}

// handList copies the list as text, or saves it as a file.
func (p *Page) handList(title, because string) {
	call("shareList", p.Name, title, because, p.W.ListCopied)
}
