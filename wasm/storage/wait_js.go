//go:build js && wasm

package storage

import (
	"errors"
	"fmt"
	"syscall/js"
	"time"

	"github.com/pmlam/pmlam/wasm/internal/host"
)

// A js/wasm program is one thread that JavaScript calls into. A goroutine can wait for the browser; a callback that
// JavaScript has called cannot, because the answer would have to come in the same thread.

// errTimeout is what waitFor returns when nothing happened in time.
var errTimeout = errors.New("the browser did not answer in time")

// jsError is an exception of JavaScript.
type jsError struct {
	Name    string // such as "QuotaExceededError"; "" where there is none
	Message string
}

func (e *jsError) Error() string {
	switch {
	case e.Name == "":
		return e.Message
	case e.Message == "":
		return e.Name
	}
	return e.Name + ": " + e.Message
}

// errorOf makes an error of any JavaScript value that stands for one; null and undefined give "unknown error".
func errorOf(v js.Value) *jsError {
	switch host.TypeOf(v) {
	case js.TypeString:
		return &jsError{Message: v.String()}
	case js.TypeObject:
		e := &jsError{}
		if name := v.Get("name"); host.TypeOf(name) == js.TypeString {
			e.Name = name.String()
		}
		if message := v.Get("message"); host.TypeOf(message) == js.TypeString {
			e.Message = message.String()
		}
		if e.Name != "" || e.Message != "" {
			return e
		}
	}
	return &jsError{Message: "unknown error"}
}

// try calls f and returns what JavaScript threw in it as a *jsError. Other panics go on.
func try(f func() js.Value) (v js.Value, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case js.Error:
			err = errorOf(e.Value)
		case *js.ValueError:
			err = fmt.Errorf("the browser lacks what is needed: %w", e)
		default:
			panic(e)
		}
	}()
	return f(), nil
}

// waitFor waits for the first of the named events on target and returns its name; errTimeout where none comes in time.
func waitFor(target js.Value, limit time.Duration, names ...string) (string, error) {
	happened := make(chan string, len(names))
	for _, name := range names {
		handler := js.FuncOf(func(js.Value, []js.Value) any {
			happened <- name
			return nil
		})
		target.Call("addEventListener", name, handler, map[string]any{"once": true})
		defer func() {
			target.Call("removeEventListener", name, handler)
			handler.Release()
		}()
	}
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case name := <-happened:
		return name, nil
	case <-timer.C:
		return "", errTimeout
	}
}
