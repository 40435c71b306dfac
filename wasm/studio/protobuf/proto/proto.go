// Package proto has the names that parquet-go uses.
package proto

// Message is implemented by no type of the program.
type Message interface{ ProtoReflect() }

// Marshal panics.
func Marshal(any) ([]byte, error) { panic("no protobuf") }

// Size panics.
func Size(any) int { panic("no protobuf") }
