//go:build js && wasm

package storage

import (
	"errors"
	"fmt"
	"syscall/js"
	"time"

	"github.com/pmlam/pmlam/wasm/internal/host"
)

// A js/wasm program is one thread that JavaScript calls into. A goroutine can wait for the browser. A callback from
// JavaScript cannot, because the answer would have to arrive in the same thread.

// errTimeout is returned by waitFor if no event arrives in time.
var errTimeout = errors.New("the browser did not answer in time")

// jsError is a JavaScript exception.
type jsError struct {
	Name    string // such as "QuotaExceededError"; may be ""
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

// errorOf converts any thrown JavaScript value; null and undefined give "unknown error".
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

// try calls f and returns a JavaScript exception as a *jsError. Other panics continue.
func try(f func() js.Value) (v js.Value, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case js.Error:
			err = errorOf(e.Value)
		case *js.ValueError:
			err = fmt.Errorf("the browser lacks a needed feature: %w", e)
		default:
			panic(e)
		}
	}()
	return f(), nil
}

// waitFor waits for the first of the named events on target and returns its name, or errTimeout.
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
