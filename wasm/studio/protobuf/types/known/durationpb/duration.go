// Package durationpb has the names that parquet-go uses.
package durationpb

import "time"

// Duration is a time between two moments.
type Duration struct{}

// AsDuration panics.
func (*Duration) AsDuration() time.Duration { panic("no protobuf") }
