//go:build js && wasm

package browser

import (
	"syscall/js"
	"time"
)

// scripts returns the page's scripts, or a falsy value if they are not loaded.
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

// await calls a script that takes a callback, and waits for the callback.
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

// Say makes screen readers announce a text.
func Say(text string) { call("say", text) }

// BeforeRender records the cards' positions and the focus; AfterRender animates the cards and restores the focus.
func BeforeRender() { call("beforeRender") }
func AfterRender()  { call("afterRender") }

// Engaged reports whether an element that matches the selector has the pointer or the focus.
func Engaged(selector string) bool {
	return has("engaged") && scripts().Call("engaged", selector).Bool()
}

// WatchUndo calls f when the visitor presses Ctrl+Z outside of texts.
func WatchUndo(f func()) {
	call("watchUndo", js.FuncOf(func(js.Value, []js.Value) any {
		go f()
		return nil
	}))
}

// Money returns a price that is a number with a currency as it is written in the visitor's language, and any other text
// unchanged.
func Money(text, tag string) string {
	if text == "" || !has("money") {
		return text
	}
	return scripts().Call("money", text, tag).String()
}

// Focus focuses the first element that matches the selector.
func Focus(selector string) { call("focus", selector) }

// SetTheme sets the page's colours: 0 for the system's, 1 for light, 2 for dark.
func SetTheme(t uint8) { call("setTheme", int(t)) }

// Theme returns the page's colours, if its scripts know them.
func Theme() (t uint8, known bool) {
	if !has("theme") {
		return 0, false
	}
	return uint8(scripts().Call("theme").Int()), true
}

// SetLanguage stores the chosen language, "" for none, and returns the page's new language.
func SetLanguage(tag string) string {
	switch {
	case has("setLanguage"):
		return scripts().Call("setLanguage", tag).String()
	case tag != "":
		return tag
	}
	return DocumentLanguage()
}

// ChosenLanguage returns the language chosen on this device, if the page's scripts know it.
func ChosenLanguage() (tag string, known bool) {
	if !has("chosenLanguage") {
		return "", false
	}
	return scripts().Call("chosenLanguage").String(), true
}

// DocumentLanguage returns the document's attribute lang.
func DocumentLanguage() string {
	return js.Global().Get("document").Get("documentElement").Get("lang").String()
}

// SetAddress puts a fragment into the page's address as a step in its history; "" removes it.
func SetAddress(fragment string) { call("go", fragment) }

// SetTitle adds the view's heading to the title of the browser's tab; "" leaves the page's name alone.
func SetTitle(heading string) { call("setTitle", heading) }

// WatchAddress calls f with the address's fragment, now and after every change.
func WatchAddress(f func(fragment string)) {
	call("watchAddress", js.FuncOf(func(_ js.Value, args []js.Value) any {
		go f(args[0].String())
		return nil
	}))
}

// Restart reloads the page.
func Restart() { call("restart") }

// WatchCopy calls f with the state of the page's copy on this device, now and after every change.
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

// AskFigures asks the browser how much this site stores. AskToPersist asks it to keep the data even when space is
// short; some browsers ask the visitor.
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
func AskToPersist(f func(Figures)) { askDevice("persist", f) } // visitors may take their time to answer

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

// Forget removes the colours and the offline copy, which are outside of the store.
func Forget() { await("forget") }

// TakePicks calls f, without the render lock, for the picks that were made before the program ran, and then for each
// further one until the page is shown.
func TakePicks(f func(id string, liked bool)) {
	call("takePicks", js.FuncOf(func(_ js.Value, args []js.Value) any {
		f(args[0].String(), args[1].Bool())
		return nil
	}))
}

// TakeShared calls f with a taste in the page's address ("taste"), now or later, and with the outcome of sharing a link
// ("link") or a list ("list").
func TakeShared(f func(what, text string)) {
	call("takeShared", js.FuncOf(func(_ js.Value, args []js.Value) any {
		go f(args[0].String(), args[1].String())
		return nil
	}))
}

// DropShared drops the taste in the page's address.
func DropShared() { call("dropShared") }

// ShareLink shares the page's address with this fragment, copies it, or shows it to be copied by hand. It reports the
// outcome to TakeShared's function.
func ShareLink(site, fragment, copied, byHand, close string) {
	call("shareLink", site, fragment, copied, byHand, close)
}

// ShareList copies the list as text, or saves it as a file.
func ShareList(site, title, because, copied string) { call("shareList", site, title, because, copied) }
