//go:build js && wasm

package main

import (
	"fmt"
	"syscall/js"

	"github.com/pmlam/pmlam/core/chunks"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/recommend"
	"github.com/pmlam/pmlam/core/recommend/query"
	"github.com/pmlam/pmlam/wasm/internal/host"
	"github.com/pmlam/pmlam/wasm/kernel"
)

// program holds the open models by the numbers that JavaScript uses for them.
type program struct {
	opened map[int]*opened
	chunks map[int]*inChunks
	last   int
	end    func() // ends the program; called once
}

func newProgram(end func()) *program {
	return &program{opened: map[int]*opened{}, chunks: map[int]*inChunks{}, end: end}
}

// functions returns the functions that package/pmlam.js calls. All models share them, so opening and closing a model
// leaks nothing.
func (p *program) functions() map[string]any {
	return map[string]any{
		"open": callable(func(args []js.Value) (any, error) {
			m, err := model.Decode(host.Bytes(argument(args, 0)))
			if err != nil {
				return nil, coded{"model", err}
			}
			scan, name := kernel.Fastest()
			engine, err := recommend.Open(m, recommend.Options{Scan: scan, ScanName: name})
			if err != nil {
				return nil, coded{"model", err}
			}
			p.last++
			p.opened[p.last] = &opened{engine: engine}
			return map[string]any{"number": p.last, "length": engine.Len()}, nil
		}),
		"ask": callable(func(args []js.Value) (any, error) {
			method := argument(args, 1).String()
			of, ok := p.opened[argument(args, 0).Int()]
			if !ok {
				return nil, coded{"closed", fmt.Errorf("%s: the model is closed", method)}
			}
			return methods[method](of, argument(args, 2), argument(args, 3))
		}),
		"openChunked": callable(func(args []js.Value) (any, error) {
			scan, name := kernel.Fastest()
			c, err := chunks.Open(host.Bytes(argument(args, 0)), recommend.Options{Scan: scan, ScanName: name})
			if err != nil {
				return nil, coded{"model", err}
			}
			p.last++
			p.chunks[p.last] = &inChunks{c}
			return map[string]any{"number": p.last, "length": c.Len(), "most": c.Most()}, nil
		}),
		"askChunked": callable(func(args []js.Value) (any, error) {
			method := argument(args, 1).String()
			of, ok := p.chunks[argument(args, 0).Int()]
			if !ok {
				return nil, coded{"closed", fmt.Errorf("%s: the model is closed", method)}
			}
			return of.ask(method, argument(args, 2), argument(args, 3))
		}),
		"put": callable(func(args []js.Value) (any, error) {
			of, ok := p.chunks[argument(args, 0).Int()]
			if !ok {
				return nil, nil // closed in the meantime
			}
			if err := of.catalogue.Put(argument(args, 1).String(), host.Bytes(argument(args, 2))); err != nil {
				return nil, coded{"model", err}
			}
			return nil, nil
		}),
		"close": callable(func(args []js.Value) (any, error) {
			delete(p.opened, argument(args, 0).Int())
			delete(p.chunks, argument(args, 0).Int())
			return nil, nil
		}),
		"end": callable(func([]js.Value) (any, error) {
			p.end()
			return nil, nil
		}),
	}
}

// coded is an error with a code of RecommenderError.
type coded struct {
	code string
	error
}

// callable wraps f as a JavaScript function. Functions made by Go cannot throw, so it returns {value} or {error, code,
// option}, and package/pmlam.js throws. A panic fails only its own call. f must not block, because it runs inside a
// call from JavaScript.
func callable(f func(args []js.Value) (any, error)) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) (result any) {
		defer func() {
			if e := recover(); e != nil {
				result = failure(coded{"internal", fmt.Errorf("the recommender failed; please report this: %v", e)})
			}
		}()
		value, err := f(args)
		if err != nil {
			return failure(err)
		}
		return map[string]any{"value": value}
	})
}

func failure(err error) map[string]any {
	code, option := "option", ""
	switch e := err.(type) {
	case coded:
		code = e.code
	case *query.Error:
		option = e.Field
	}
	return map[string]any{"error": err.Error(), "code": code, "option": option}
}

func argument(args []js.Value, i int) js.Value {
	if i >= len(args) {
		return js.Undefined()
	}
	return args[i]
}
