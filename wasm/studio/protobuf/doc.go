// Package protobuf stands for google.golang.org/protobuf in the studio's program. parquet-go links that module, half a
// megabyte in brotli, to write protobuf messages as rows, which nothing here does. So these are types without values:
// the methods panic, and no code of the program makes or finds one.
//
// .ci/studio builds the program with it. An update of parquet-go that needs more of it fails to compile.
package protobuf
