//go:build js && wasm

package host

import (
	"errors"
	"syscall/js"

	"github.com/pmlam/pmlam/core/yield"
)

// Host is the loader.
type Host struct {
	value js.Value
}

// Take returns the loader and removes it from the page's globals.
func Take() (*Host, error) {
	v := js.Global().Get("pmlamHost")
	if v.Type() != js.TypeObject {
		return nil, errors.New("pmlamHost is missing: " +
			"the program must be started by assets/js/loader/loader.js or wasm/embed/package/pmlam.js")
	}
	js.Global().Delete("pmlamHost")
	return &Host{value: v}, nil
}

// Model returns a copy of the model file and releases JavaScript's. It may be called once, and yields the thread
// between pieces.
func (h *Host) Model() []byte {
	v := h.value.Get("model")
	file := make([]byte, v.Length())
	const piece = 1 << 22
	for at := 0; at < len(file); at += piece {
		js.CopyBytesToGo(file[at:], v.Call("subarray", at, at+piece))
		yield.Now()
	}
	h.value.Set("model", js.Null())
	return file
}

// Ready tells the loader that the page is shown; sound is false if the page only shows an error.
func (h *Host) Ready(sound bool) { h.value.Call("ready", sound) }

// Fail tells the loader in full sentences why the page failed; again tells whether reloading may help.
func (h *Host) Fail(text string, again bool) { h.value.Call("fail", text, again) }

// Offer passes the loader a named value that it waits for.
func (h *Host) Offer(name string, value any) { h.value.Call("offer", name, value) }

// TypeOf returns the type of a value. For a BigInt, at which v.Type panics, it returns undefined.
func TypeOf(v js.Value) (t js.Type) {
	defer func() { recover() }()
	return v.Type()
}

// Bytes copies a Uint8Array; nil for any other value.
func Bytes(v js.Value) []byte {
	if !v.InstanceOf(js.Global().Get("Uint8Array")) {
		return nil
	}
	b := make([]byte, v.Length())
	js.CopyBytesToGo(b, v)
	return b
}
