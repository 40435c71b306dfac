//go:build js && wasm

package main

import (
	"fmt"
	"syscall/js"

	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/wasm/internal/host"
	"github.com/pmlam/pmlam/wasm/kernel"
)

func main() {
	h, err := host.Take()
	if err != nil {
		panic(err)
	}
	h.Offer("open", answer(func(args []js.Value) (any, error) {
		engine, err := open(host.Bytes(argument(args, 0)))
		if err != nil {
			return nil, err
		}
		return newAPI(engine), nil
	}))
	select {} // callers go on calling the functions of this program
}

func open(file []byte) (*recommend.Recommender, error) {
	m, err := model.Decode(file)
	if err != nil {
		return nil, err
	}
	scan, name := kernel.Fastest()
	return recommend.Open(m, recommend.Options{Scan: scan, ScanName: name})
}

// answer makes a JavaScript function of f. A function made by Go cannot throw, so it returns {value} or {error}, and
// assets/js/loader/pmlam.js throws. Nothing in f may wait: it runs inside a call from JavaScript.
func answer(f func(args []js.Value) (any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) (result any) {
		defer func() {
			// An exception of a getter of the arguments is the caller's error.
			switch e := recover().(type) {
			case nil:
			case js.Error:
				result = map[string]any{"error": e.Error()}
			case *js.ValueError:
				result = map[string]any{"error": fmt.Sprintf("an argument is of the wrong type: %v", e)}
			default:
				panic(e)
			}
		}()
		value, err := f(args)
		if err != nil {
			return map[string]any{"error": err.Error()}
		}
		return map[string]any{"value": value}
	})
}

func argument(args []js.Value, i int) js.Value {
	if i >= len(args) {
		return js.Undefined()
	}
	return args[i]
}
