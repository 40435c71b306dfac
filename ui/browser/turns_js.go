//go:build js && wasm

package browser

import (
	"syscall/js"
	"time"
)

var (
	sliceBegan time.Time       // when the present slice began
	waiting    []chan struct{} // goroutines that wait for a turn, in their order
	port       js.Value        // what is posted to it comes back in a turn of its own
)

// Yield lets the browser in where the program has worked for a slice. Long computations call it now and then, in
// goroutines that hold no lock.
func Yield() {
	if time.Since(sliceBegan) >= Slice {
		NextTurn()
	}
}

// TurnBegan marks the begin of a turn of the browser with something that the visitor waits for: what takes less
// than twenty milliseconds is done in it, and shown at once.
func TurnBegan() { sliceBegan = time.Now().Add(20*time.Millisecond - Slice) }

// NextTurn lets the browser paint and take input before something heavy begins. Sleeping would not do: where the time
// is over before the browser's turn comes, the program goes on at once. Nor would a timer of no time: browsers make it
// four milliseconds where there are many.
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

// Painted waits until the browser shows what was rendered last, or a moment where the page is not looked at.
func Painted() { await("painted") }

var tasks int // that go on

// Begin says that a task begins that may change what is shown, and End that it has ended. The page's scripts have their
// number as ellipsis.tasks: where it is 0 the program has computed, stored and rendered all that there is to do, and
// only an event brings more. One assignment each.
func Begin() { count(1) }
func End()   { count(-1) }

func count(n int) {
	tasks += n
	if s := scripts(); s.Truthy() {
		s.Set("tasks", tasks)
	}
}
