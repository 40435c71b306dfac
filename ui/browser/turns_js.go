//go:build js && wasm

package browser

import (
	"syscall/js"
	"time"
)

var (
	sliceBegan time.Time       // of the current slice
	waiting    []chan struct{} // goroutines that wait for a turn, in order
	port       js.Value        // messages posted to it arrive in turns of their own
)

// Yield lets the browser in if a slice is over. Long computations call it every now and then, in goroutines that hold
// no lock.
func Yield() {
	if time.Since(sliceBegan) >= Slice {
		NextTurn()
	}
}

// TurnBegan marks the start of a turn with work that the visitor waits for. Up to twenty milliseconds of it run in this
// turn and are shown at once.
func TurnBegan() { sliceBegan = time.Now().Add(20*time.Millisecond - Slice) }

// NextTurn lets the browser paint and take input before heavy work begins. Sleeping is not enough: if the time is over
// before the browser's turn, the program goes on at once. Nor is a timer of zero: browsers stretch repeated ones to
// four milliseconds.
func NextTurn() {
	if port.IsUndefined() {
		channel := js.Global().Get("MessageChannel").New()
		channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
			first := waiting[0]
			waiting = waiting[1:]
			close(first)
			return nil
		}))
		port = channel.Get("port2")
	}
	turn := make(chan struct{})
	waiting = append(waiting, turn)
	port.Call("postMessage", nil)
	<-turn
	sliceBegan = time.Now()
}

// Painted waits until the browser shows the latest render, or for a moment if the page is hidden.
func Painted() { await("painted") }

var tasks int // running

// Begin marks the start of a task that may change the page, and End its end. The page's scripts see the number of
// running tasks as ellipsis.tasks. At 0 everything is computed, stored and rendered, until the next event. Each call is
// one assignment.
func Begin() { count(1) }
func End()   { count(-1) }

func count(n int) {
	tasks += n
	if s := scripts(); s.Truthy() {
		s.Set("tasks", tasks)
	}
}
