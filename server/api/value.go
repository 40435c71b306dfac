package api

import (
	"slices"

	"github.com/pmlam/pmlam/core/recommend/query"
)

// value is a value of JSON as a part of a request: nil, bool, float64, string, []any or map[string]any.
type value struct{ v any }

func (v value) Kind() query.Kind {
	switch v.v.(type) {
	case nil:
		return query.Absent
	case bool:
		return query.Bool
	case float64:
		return query.Number
	case string:
		return query.Text
	case []any:
		return query.List
	}
	return query.Object
}

func (v value) Bool() bool                    { return v.v.(bool) }
func (v value) Number() float64               { return v.v.(float64) }
func (v value) Text() string                  { return v.v.(string) }
func (v value) Len() int                      { return len(v.v.([]any)) }
func (v value) At(i int) query.Value          { return value{v.v.([]any)[i]} }
func (v value) Field(name string) query.Value { return value{v.v.(map[string]any)[name]} }

// Names returns the fields in order, so that of two mistakes the same is reported each time.
func (v value) Names() []string {
	m := v.v.(map[string]any)
	names := make([]string, 0, len(m))
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}
