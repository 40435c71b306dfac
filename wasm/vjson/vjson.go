// Package vjson stands in for the module of this name, which vugu asks for JSON and which links encoding/json: wasm/build.sh
// puts it in that one's place in the program that is published, which is a sixtieth smaller for it. What vugu and the
// components need of it is little.
package vjson

import (
	"errors"
	"math"
	"strconv"

	"github.com/pmlam/pmlam/ui/json"
)

// RawMessage is JSON.
type RawMessage []byte

// Marshal writes a text, which is all that components hand over.
func Marshal(v any) ([]byte, error) {
	switch v := v.(type) {
	case string:
		return json.Quote(nil, v), nil
	case int:
		return strconv.AppendInt(nil, int64(v), 10), nil
	case bool:
		return strconv.AppendBool(nil, v), nil
	}
	return nil, errors.New("vjson: a component sets a property to what is no text, int or bool")
}

// Unmarshal reads an object, which is all that the renderer asks for.
func Unmarshal(b []byte, v any) error {
	m, ok := v.(*map[string]any)
	if !ok {
		return errors.New("vjson: the renderer asks for something other than an object")
	}
	r := json.NewReader(b, math.MaxInt)
	r.Object(func(name string) { (*m)[name] = r.Value() })
	if r.End(); r.Err() != nil {
		return r.Err()
	}
	return nil
}
