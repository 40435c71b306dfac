package query

import "slices"

var _ Value = JSON{}

// JSON is a Value of JSON: V is nil, a bool, float64 or string, []any or map[string]any.
type JSON struct{ V any }

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

func (v JSON) Bool() bool              { return v.V.(bool) }
func (v JSON) Number() float64         { return v.V.(float64) }
func (v JSON) Text() string            { return v.V.(string) }
func (v JSON) Len() int                { return len(v.V.([]any)) }
func (v JSON) At(i int) Value          { return JSON{v.V.([]any)[i]} }
func (v JSON) Field(name string) Value { return JSON{v.V.(map[string]any)[name]} }

// Names returns the fields in order, so that of two mistakes the same is reported each time.
func (v JSON) Names() []string {
	m := v.V.(map[string]any)
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
