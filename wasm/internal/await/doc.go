// Package await lets a goroutine wait for JavaScript: for a promise, or for one of several events.
//
// A js/wasm program is one thread that JavaScript calls into, so who waits must be a goroutine of its own: to wait
// inside a callback that JavaScript called stops the very loop that would bring the answer. Callbacks here only put a
// value into a channel that has room, and return.
package await
