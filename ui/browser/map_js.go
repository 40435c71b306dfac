//go:build js && wasm

package browser

import (
	"syscall/js"

	vugujs "github.com/vugu/vugu/js"
)

// Map is a painted map (map.js).
type Map struct {
	host, m js.Value
	funcs   []js.Func
}

// CanMap reports whether a map can be painted.
func CanMap() bool { return has("createMap") }

// NewMap paints a map into an element that Vugu leaves alone.
func NewMap(host vugujs.Value, o MapOptions) *Map {
	m := &Map{host: js.Value(host)}
	take := func(f func(args []js.Value) any) js.Func {
		taken := js.FuncOf(func(_ js.Value, args []js.Value) any { return f(args) })
		m.funcs = append(m.funcs, taken)
		return taken
	}
	options := o.Texts
	for name, value := range map[string]any{
		"titles":  o.Titles,
		"points":  toJS(o.Points),
		"weights": toJS(o.Weights),
		"regions": toJS(o.Regions),
		"groups":  toJS(o.Groups),
		"bell":    o.Bell,
		"describe": take(func(args []js.Value) any {
			return o.Describe(args[0].Int())
		}),
		"open": take(func(args []js.Value) any { go o.Open(args[0].Int()); return nil }),
		"fail": take(func([]js.Value) any { go o.Fail(); return nil }),
		"search": take(func(args []js.Value) any {
			query, answer := args[0].String(), args[1]
			go func() {
				items, told := o.Search(query)
				answer.Invoke(map[string]any{"items": toArray(items), "told": told})
			}()
			return nil
		}),
	} {
		options[name] = value
	}
	m.m = scripts().Call("createMap", m.host, options)
	return m
}

// In reports whether the map is painted into this element.
func (m *Map) In(host vugujs.Value) bool { return m.host.Equal(js.Value(host)) }

// Release stops the map.
func (m *Map) Release() {
	m.m.Call("release")
	for _, f := range m.funcs {
		f.Release()
	}
}

// Update changes the named parts of the map. Values are bytes, items, strings, numbers, bools or nil.
func (m *Map) Update(update map[string]any) { m.m.Call("update", toObject(update)) }

// Zoom zooms, Home shows the whole map, FullScreen shows it alone, and Picture saves an image of it.
func (m *Map) Zoom(factor float64) { m.m.Call("zoom", factor) }
func (m *Map) Home()               { m.m.Call("home") }
func (m *Map) FullScreen()         { m.m.Call("fullScreen") }
func (m *Map) Picture()            { m.m.Call("picture") }

func toArray(items []int) []any {
	out := make([]any, len(items))
	for i, v := range items {
		out[i] = v
	}
	return out
}

// toObject converts values that syscall/js does not accept.
func toObject(o map[string]any) map[string]any {
	for name, value := range o {
		switch v := value.(type) {
		case []byte:
			o[name] = toJS(v)
		case []int:
			o[name] = toArray(v)
		case map[string]any:
			o[name] = toObject(v)
		}
	}
	return o
}
