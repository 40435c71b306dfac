package importer

import (
	"bytes"
	"compress/flate"
	"io"
)

// inflate is an Inflate by the standard library, instead of the browser's.
func inflate(packed []byte, size int) ([]byte, error) {
	r := flate.NewReader(bytes.NewReader(packed))
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, int64(size)+1)) // one more byte shows that the stream is too long
}
