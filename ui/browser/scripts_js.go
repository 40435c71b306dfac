//go:build js && wasm

package browser

import (
	"syscall/js"
	"time"
)

// scripts returns the page's own scripts, or a falsy value where they are not loaded.
func scripts() js.Value { return js.Global().Get("ellipsis") }

func has(name string) bool {
	s := scripts()
	return s.Truthy() && s.Get(name).Truthy()
}

func call(name string, args ...any) {
	if has(name) {
		scripts().Call(name, args...)
	}
}

// await calls a script that calls back when it is done, and waits for that.
func await(name string) {
	if !has(name) {
		return
	}
	done := make(chan struct{})
	answer := js.FuncOf(func(js.Value, []js.Value) any {
		close(done)
		return nil
	})
	defer answer.Release()
	scripts().Call(name, answer)
	<-done
}

// Say has screen readers announce a text.
func Say(text string) { call("say", text) }

// BeforeRender notes where cards are and what has the focus; AfterRender moves and focuses.
func BeforeRender() { call("beforeRender") }
func AfterRender()  { call("afterRender") }

// Focus moves the focus to the first element that the selector finds.
func Focus(selector string) { call("focus", selector) }

// SetTheme colours the page: 0 as the system, 1 light, 2 dark.
func SetTheme(t uint8) { call("setTheme", int(t)) }

// Theme returns the colours that the page has, where its scripts know.
func Theme() (t uint8, known bool) {
	if !has("theme") {
		return 0, false
	}
	return uint8(scripts().Call("theme").Int()), true
}

// SetLanguage writes down which language was chosen ("": none) and returns the one that the page has now.
func SetLanguage(tag string) string {
	switch {
	case has("setLanguage"):
		return scripts().Call("setLanguage", tag).String()
	case tag != "":
		return tag
	}
	return DocumentLanguage()
}

// ChosenLanguage returns what was chosen on this device, where the page's scripts know.
func ChosenLanguage() (tag string, known bool) {
	if !has("chosenLanguage") {
		return "", false
	}
	return scripts().Call("chosenLanguage").String(), true
}

// DocumentLanguage is the document's attribute lang.
func DocumentLanguage() string {
	return js.Global().Get("document").Get("documentElement").Get("lang").String()
}

// SetAddress puts a fragment into the page's address, as a step in its history; "" takes it away.
func SetAddress(fragment string) { call("go", fragment) }

// SetTitle has the browser's tab name what is looked at; "" names the page alone.
func SetTitle(heading string) { call("setTitle", heading) }

// WatchAddress has f called with the fragment of the page's address, now and whenever that changes.
func WatchAddress(f func(fragment string)) {
	call("watchAddress", js.FuncOf(func(_ js.Value, args []js.Value) any {
		go f(args[0].String())
		return nil
	}))
}

// Restart loads the page again.
func Restart() { call("restart") }

// WatchCopy has f called with what is known of the page's copy on this machine, now and whenever that changes.
func WatchCopy(f func(Copy)) {
	call("watchOffline", js.FuncOf(func(_ js.Value, args []js.Value) any {
		known := args[0]
		c := Copy{
			Away: !known.Get("online").Bool(), Able: known.Get("able").Bool(),
			Refused: known.Get("refused").Bool(), Full: known.Get("full").Bool(), Update: known.Get("update").Bool(),
		}
		if since := known.Get("since").Float(); since > 0 {
			c.Since = time.UnixMilli(int64(since))
		}
		go f(c)
		return nil
	}))
}

// AskFigures asks the browser how much this site stores. AskToPersist asks it to keep what is stored even when space is
// short; some ask the visitor.
func AskFigures(f func(Figures)) {
	if !has("figures") {
		return
	}
	Begin()
	askDevice("figures", func(now Figures) {
		f(now)
		End()
	})
}
func AskToPersist(f func(Figures)) { askDevice("persist", f) } // for which some visitors take their time

func askDevice(what string, f func(Figures)) {
	if !has(what) {
		return
	}
	var answer js.Func
	answer = js.FuncOf(func(_ js.Value, args []js.Value) any {
		answer.Release()
		now := Figures{Known: true, Usage: int(args[0].Float()), Quota: int(args[1].Float()),
			Persisted: args[2].Bool(), Askable: args[3].Bool()}
		go f(now)
		return nil
	})
	scripts().Call(what, answer)
}

// Forget removes from the browser what is not in the store: the colours, the copy of the page for use without a
// network.
func Forget() { await("forget") }

// TakeShared has f called with a taste that comes with the page's address ("taste"), now or later, and with what came
// of a link ("link") or a list ("list") that was handed out.
func TakeShared(f func(what, text string)) {
	call("takeShared", js.FuncOf(func(_ js.Value, args []js.Value) any {
		go f(args[0].String(), args[1].String())
		return nil
	}))
}

// DropShared forgets the taste that came with the page's address.
func DropShared() { call("dropShared") }

// ShareLink shares the page's address with that fragment, copies it, or shows it to be copied by hand, and calls
// TakeShared's function with which.
func ShareLink(site, fragment, copied, byHand, close string) {
	call("shareLink", site, fragment, copied, byHand, close)
}

// ShareList copies the list as text, or saves it as a file.
func ShareList(site, title, because, copied string) { call("shareList", site, title, because, copied) }
