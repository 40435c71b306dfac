// Package protoreflect has the names that parquet-go uses.
package protoreflect

type (
	// Name is a name.
	Name string
	// Kind is a kind of value.
	Kind int
	// Value is a value.
	Value interface {
		IsValid() bool
		Interface() any
	}
	// List is a list.
	List interface {
		Len() int
		Get(int) Value
		NewElement() Value
	}
	// MapKey is a key.
	MapKey interface{ Interface() any }
	// Map is a map.
	Map interface {
		Len() int
		Range(func(MapKey, Value) bool)
	}
)

// MessageKind is the kind of messages.
const MessageKind Kind = 11
