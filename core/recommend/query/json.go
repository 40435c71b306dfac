package query

import "slices"

var _ Value = JSON{}

// JSON is a Value decoded from JSON: V is nil, a bool, float64 or string, []any, map[string]any or Item.
type JSON struct{ V any }

// Item is an object of which only "id" was kept, a text or a number. It takes a fraction of the memory of a map.
type Item struct{ ID any }

func (v JSON) Kind() Kind {
	switch v.V.(type) {
	case nil:
		return Absent
	case bool:
		return Bool
	case float64:
		return Number
	case string:
		return Text
	case []any:
		return List
	}
	return Object
}

func (v JSON) Bool() bool      { return v.V.(bool) }
func (v JSON) Number() float64 { return v.V.(float64) }
func (v JSON) Text() string    { return v.V.(string) }
func (v JSON) Len() int        { return len(v.V.([]any)) }
func (v JSON) At(i int) Value  { return JSON{v.V.([]any)[i]} }

// Field returns a field of an object.
func (v JSON) Field(name string) Value {
	if item, ok := v.V.(Item); ok {
		if name != "id" {
			return JSON{}
		}
		return JSON{item.ID}
	}
	return JSON{v.V.(map[string]any)[name]}
}

// Names returns the fields in order, so the same one of two errors is reported each time.
func (v JSON) Names() []string {
	if _, ok := v.V.(Item); ok {
		return []string{"id"}
	}
	m := v.V.(map[string]any)
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
