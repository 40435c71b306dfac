//go:build js && wasm

package jsquery

import (
	"syscall/js"

	"github.com/pmlam/pmlam/core/recommend/query"
)

// Value is a JavaScript value as part of a request.
type Value struct{ V js.Value }

var array, object = js.Global().Get("Array"), js.Global().Get("Object")

func (v Value) Kind() query.Kind {
	switch v.V.Type() {
	case js.TypeUndefined, js.TypeNull:
		return query.Absent
	case js.TypeBoolean:
		return query.Bool
	case js.TypeNumber:
		return query.Number
	case js.TypeString:
		return query.Text
	case js.TypeObject:
		if array.Call("isArray", v.V).Bool() {
			return query.List
		}
		return query.Object
	}
	return query.Other
}

func (v Value) Bool() bool                    { return v.V.Bool() }
func (v Value) Number() float64               { return v.V.Float() }
func (v Value) Text() string                  { return v.V.String() }
func (v Value) Len() int                      { return v.V.Length() }
func (v Value) At(i int) query.Value          { return Value{v.V.Index(i)} }
func (v Value) Field(name string) query.Value { return Value{v.V.Get(name)} }

func (v Value) Names() []string {
	keys := object.Call("keys", v.V)
	names := make([]string, keys.Length())
	for i := range names {
		names[i] = keys.Index(i).String()
	}
	return names
}
