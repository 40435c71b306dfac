// Package wrapperspb has the names that parquet-go uses.
package wrapperspb

type (
	// BoolValue is a value.
	BoolValue struct{}
	// Int32Value is a value.
	Int32Value struct{}
	// Int64Value is a value.
	Int64Value struct{}
	// UInt32Value is a value.
	UInt32Value struct{}
	// UInt64Value is a value.
	UInt64Value struct{}
	// FloatValue is a value.
	FloatValue struct{}
	// DoubleValue is a value.
	DoubleValue struct{}
	// StringValue is a value.
	StringValue struct{}
	// BytesValue is a value.
	BytesValue struct{}
)

// GetValue panics.
func (*BoolValue) GetValue() bool { panic("no protobuf") }

// GetValue panics.
func (*Int32Value) GetValue() int32 { panic("no protobuf") }

// GetValue panics.
func (*Int64Value) GetValue() int64 { panic("no protobuf") }

// GetValue panics.
func (*UInt32Value) GetValue() uint32 { panic("no protobuf") }

// GetValue panics.
func (*UInt64Value) GetValue() uint64 { panic("no protobuf") }

// GetValue panics.
func (*FloatValue) GetValue() float32 { panic("no protobuf") }

// GetValue panics.
func (*DoubleValue) GetValue() float64 { panic("no protobuf") }

// GetValue panics.
func (*StringValue) GetValue() string { panic("no protobuf") }

// GetValue panics.
func (*BytesValue) GetValue() []byte { panic("no protobuf") }
