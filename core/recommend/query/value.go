package query

import (
	"math"
	"strconv"
)

// Kind is the kind of a Value.
type Kind uint8

const (
	Absent Kind = iota // undefined, null, or a missing field
	Bool
	Number
	Text
	List
	Object
	Other // not allowed in requests, such as a function
)

// Value is a part of a request from any source. Call a method only for the kinds that its comment names.
type Value interface {
	Kind() Kind
	Bool() bool              // of a Bool
	Number() float64         // of a Number; NaN and infinities are possible
	Text() string            // of a Text
	Len() int                // of a List
	At(i int) Value          // of a List, 0 ≤ i < Len
	Names() []string         // of an Object: its fields
	Field(name string) Value // of an Object
}

// Plain returns a text, a number or a boolean as JavaScript converts it to a text, and false for any other value.
func Plain(v Value) (string, bool) {
	switch v.Kind() {
	case Text:
		return v.Text(), true
	case Bool:
		return strconv.FormatBool(v.Bool()), true
	case Number:
		return number(v.Number()), true
	}
	return "", false
}

// number formats x as JavaScript's String(x) does, up to 2⁵³; larger numbers are not exact ids.
func number(x float64) string {
	if x == 0 {
		return "0" // -0 too
	}
	if a := math.Abs(x); a >= 1e-6 && a < 1e21 {
		return strconv.FormatFloat(x, 'f', -1, 64)
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}
