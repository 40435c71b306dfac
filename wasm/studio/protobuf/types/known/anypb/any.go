// Package anypb has the names that parquet-go uses.
package anypb

import "google.golang.org/protobuf/proto"

// Any is a message of any type.
type Any struct{}

// GetTypeUrl panics.
func (*Any) GetTypeUrl() string { panic("no protobuf") }

// UnmarshalNew panics.
func (*Any) UnmarshalNew() (proto.Message, error) { panic("no protobuf") }
