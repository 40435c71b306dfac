//go:build js && wasm

package main

import (
	"syscall/js"

	"github.com/pmlam/pmlam/core/recommend/query"
)

// value is a value of JavaScript as a part of a request.
type value struct{ v js.Value }

var array, object = js.Global().Get("Array"), js.Global().Get("Object")

func (v value) Kind() query.Kind {
	switch v.v.Type() {
	case js.TypeUndefined, js.TypeNull:
		return query.Absent
	case js.TypeBoolean:
		return query.Bool
	case js.TypeNumber:
		return query.Number
	case js.TypeString:
		return query.Text
	case js.TypeObject:
		if array.Call("isArray", v.v).Bool() {
			return query.List
		}
		return query.Object
	}
	return query.Other
}

func (v value) Bool() bool                    { return v.v.Bool() }
func (v value) Number() float64               { return v.v.Float() }
func (v value) Text() string                  { return v.v.String() }
func (v value) Len() int                      { return v.v.Length() }
func (v value) At(i int) query.Value          { return value{v.v.Index(i)} }
func (v value) Field(name string) query.Value { return value{v.v.Get(name)} }

// Names returns the object's own fields.
func (v value) Names() []string {
	keys := object.Call("keys", v.v)
	names := make([]string, keys.Length())
	for i := range names {
		names[i] = keys.Index(i).String()
	}
	return names
}
