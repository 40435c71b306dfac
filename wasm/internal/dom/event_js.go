//go:build js && wasm

package dom

import (
	"syscall/js"

	"github.com/vugu/vugu"
	vugujs "github.com/vugu/vugu/js"

	"github.com/pmlam/pmlam/wasm/internal/host"
)

// event is an event of the page. Its properties are read from JavaScript on demand.
type event struct {
	env   vugu.EventEnv
	value js.Value
}

var _ vugu.DOMEvent = (*event)(nil)

// prop returns the nested property named by keys, or undefined if one is missing.
func (e *event) prop(keys []string) js.Value {
	v := e.value
	for _, k := range keys {
		if !v.Truthy() {
			return js.Undefined()
		}
		v = v.Get(k)
	}
	return v
}

func (e *event) Prop(keys ...string) any {
	switch v := e.prop(keys); host.TypeOf(v) {
	case js.TypeString:
		return v.String()
	case js.TypeNumber:
		return v.Float()
	case js.TypeBoolean:
		return v.Bool()
	}
	return nil
}

func (e *event) PropString(keys ...string) string {
	s, _ := e.Prop(keys...).(string)
	return s
}

func (e *event) PropFloat64(keys ...string) float64 {
	f, _ := e.Prop(keys...).(float64)
	return f
}

func (e *event) PropBool(keys ...string) bool {
	b, _ := e.Prop(keys...).(bool)
	return b
}

// EventSummary returns nil: Prop reads any property.
func (e *event) EventSummary() map[string]any { return nil }

func (e *event) JSEvent() vugujs.Value       { return vugujs.Value(e.value) }
func (e *event) JSEventTarget() vugujs.Value { return vugujs.Value(e.value.Get("target")) }
func (e *event) JSEventCurrentTarget() vugujs.Value {
	return vugujs.Value(e.value.Get("currentTarget"))
}
func (e *event) EventEnv() vugu.EventEnv { return e.env }
func (e *event) PreventDefault()         { e.value.Call("preventDefault") }
func (e *event) StopPropagation()        { e.value.Call("stopPropagation") }
