//go:build js && wasm

package await

import (
	"errors"
	"fmt"
	"syscall/js"
	"time"
)

// ErrTimeout is what Event returns when nothing happened in time.
var ErrTimeout = errors.New("the browser did not answer in time")

// Error is an exception of JavaScript or the reason of a rejected promise.
type Error struct {
	Name    string // such as "QuotaExceededError"; "" where there is none
	Message string
}

func (e *Error) Error() string {
	switch {
	case e.Name == "":
		return e.Message
	case e.Message == "":
		return e.Name
	}
	return e.Name + ": " + e.Message
}

// ErrorOf makes an error of any JavaScript value that stands for one; null and undefined give "unknown error".
func ErrorOf(v js.Value) *Error {
	switch v.Type() {
	case js.TypeString:
		return &Error{Message: v.String()}
	case js.TypeObject:
		e := &Error{}
		if name := v.Get("name"); name.Type() == js.TypeString {
			e.Name = name.String()
		}
		if message := v.Get("message"); message.Type() == js.TypeString {
			e.Message = message.String()
		}
		if e.Name != "" || e.Message != "" {
			return e
		}
	}
	return &Error{Message: "unknown error"}
}

// Try calls f and returns what JavaScript threw in it as an error. Other panics go on.
func Try(f func() js.Value) (v js.Value, err error) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case js.Error:
			err = ErrorOf(e.Value)
		case *js.ValueError:
			err = fmt.Errorf("the browser lacks what is needed: %w", e)
		default:
			panic(e)
		}
	}()
	return f(), nil
}

// Promise waits until the promise is settled. It returns its value, or the reason of its rejection as an *Error.
func Promise(p js.Value) (js.Value, error) {
	type outcome struct {
		value js.Value
		err   error
	}
	settled := make(chan outcome, 1)
	then := js.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- outcome{value: first(args)}
		return nil
	})
	catch := js.FuncOf(func(_ js.Value, args []js.Value) any {
		settled <- outcome{err: ErrorOf(first(args))}
		return nil
	})
	defer then.Release()
	defer catch.Release()
	p.Call("then", then, catch)
	o := <-settled
	return o.value, o.err
}

// Event waits for the first of the named events on target and returns its name. Where limit is positive and passes
// first, it returns ErrTimeout.
func Event(target js.Value, limit time.Duration, names ...string) (string, error) {
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
	var timeout <-chan time.Time
	if limit > 0 {
		timer := time.NewTimer(limit)
		defer timer.Stop()
		timeout = timer.C
	}
	select {
	case name := <-happened:
		return name, nil
	case <-timeout:
		return "", ErrTimeout
	}
}

func first(args []js.Value) js.Value {
	if len(args) == 0 {
		return js.Undefined()
	}
	return args[0]
}
