// Package timestamppb has the names that parquet-go uses.
package timestamppb

import "time"

// Timestamp is a moment.
type Timestamp struct{}

// AsTime panics.
func (*Timestamp) AsTime() time.Time { panic("no protobuf") }
