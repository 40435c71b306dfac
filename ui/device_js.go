//go:build js && wasm

package ui

import (
	"syscall/js"

	"github.com/vugu/vugu"

	"github.com/pmlam/pmlam/ui/keep"
)

// figures asks the browser how much this site stores, in the background, and shows it.
func (p *Page) figures() { p.askDevice("figures") }

// persist asks the browser to keep what is stored even when space is short. Some ask the visitor.
func (p *Page) persist() { p.askDevice("persist") }

func (p *Page) askDevice(what string) {
	var answer js.Func
	answer = js.FuncOf(func(_ js.Value, args []js.Value) any {
		answer.Release()
		now := Figures{Known: true, Usage: int(args[0].Float()), Quota: int(args[1].Float()), Persisted: args[2].Bool(), Askable: args[3].Bool()}
		go p.learn(now)
		return nil
	})
	if s := scripts(); s.Truthy() && s.Get(what).Truthy() {
		s.Call(what, answer)
	}
}

// shownTheme returns the colours that the page has, where its scripts know.
func shownTheme() (t uint8, known bool) {
	if s := scripts(); s.Truthy() && s.Get("theme").Truthy() {
		return uint8(s.Call("theme").Int()), true
	}
	return 0, false
}

// forget removes from the browser what is not in the store: the colours, the copy of the page for use without a network.
func forget() {
	done := make(chan struct{})
	answer := js.FuncOf(func(js.Value, []js.Value) any {
		close(done)
		return nil
	})
	defer answer.Release()
	if s := scripts(); s.Truthy() && s.Get("forget").Truthy() {
		s.Call("forget", answer)
		<-done
	}
}

// download hands the visitor a file.
func download(name, kind string, b []byte) { call("download", name, kind, bytesToJS(b)) }

// chosen reads the file that was chosen in the event's input, if it is of a size that a backup may have, and calls f in
// a goroutine; with nil where it cannot be read.
func chosen(event vugu.DOMEvent, f func(name string, b []byte)) {
	var read js.Func
	read = js.FuncOf(func(_ js.Value, args []js.Value) any {
		read.Release()
		var b []byte
		if a := args[1]; a.Truthy() {
			b = make([]byte, a.Length())
			js.CopyBytesToGo(b, a)
		}
		if name := args[0].String(); name != "" {
			go f(name, b)
		}
		return nil
	})
	call("readChosen", js.Value(event.JSEventTarget()), keep.MaxBackup, read)
}
