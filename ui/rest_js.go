//go:build js && wasm

package ui

import (
	"syscall/js"
	"time"
)

var (
	breathed time.Time       // the end of the last breath
	breaths  []chan struct{} // that are being taken
	bell     js.Value        // a port; what is posted to it comes back in a turn of its own
)

// Rest lets the browser in where the program has worked for a while. Long computations call it now and then, in goroutines that
// hold no lock.
func Rest() {
	if time.Since(breathed) >= slice {
		breathe()
	}
}

// painted waits until the browser shows what was rendered last, or a moment where the page is not looked at.
func painted() {
	done := make(chan struct{})
	answer := js.FuncOf(func(js.Value, []js.Value) any {
		close(done)
		return nil
	})
	defer answer.Release()
	if s := scripts(); s.Truthy() && s.Get("painted").Truthy() {
		s.Call("painted", answer)
		<-done
	}
}

// awake says that a turn of the browser has just begun with something that the visitor waits for: what takes less than
// twenty milliseconds is done in it, and shown at once.
func awake() { breathed = time.Now().Add(20*time.Millisecond - slice) }

// breathe lets the browser paint and take input before something heavy begins. Sleeping would not do: where the time is
// over before the browser's turn comes, the program goes on at once. Nor would a timer of no time: browsers make it four
// milliseconds where there are many.
func breathe() {
	if bell.IsUndefined() {
		channel := js.Global().Get("MessageChannel").New()
		channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
			first := breaths[0]
			breaths = breaths[1:]
			close(first)
			return nil
		}))
		bell = channel.Get("port2")
	}
	turn := make(chan struct{})
	breaths = append(breaths, turn)
	bell.Call("postMessage", nil)
	<-turn
	breathed = time.Now()
}
