// Package structpb has the names that parquet-go uses.
package structpb

type (
	// Struct is an object.
	Struct struct{ Fields map[string]*Value }
	// ListValue is an array.
	ListValue struct{}
	// Value is a value.
	Value struct{}
	// Value_NullValue is null.
	Value_NullValue struct{}
	// Value_BoolValue is true or false.
	Value_BoolValue struct{ BoolValue bool }
	// Value_NumberValue is a number.
	Value_NumberValue struct{ NumberValue float64 }
	// Value_StringValue is a text.
	Value_StringValue struct{ StringValue string }
	// Value_StructValue is an object.
	Value_StructValue struct{ StructValue *Struct }
	// Value_ListValue is an array.
	Value_ListValue struct{ ListValue *ListValue }
)

// GetFields panics.
func (*Struct) GetFields() map[string]*Value { panic("no protobuf") }

// GetValues panics.
func (*ListValue) GetValues() []*Value { panic("no protobuf") }

// GetKind panics.
func (*Value) GetKind() any { panic("no protobuf") }
