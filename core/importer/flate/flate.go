// Package flate unpacks the members of zips for importer where the program is native. A browser has its own
// (assets/js/files.js), and its program saves the 23 KB that compress/flate takes.
package flate

import (
	"bytes"
	"compress/flate"
	"io"
)

// Inflate is an importer.Inflate.
func Inflate(packed []byte, size int) ([]byte, error) {
	r := flate.NewReader(bytes.NewReader(packed))
	defer r.Close()
	// One byte more would show that there is more; memory grows with what comes out.
	return io.ReadAll(io.LimitReader(r, int64(size)+1))
}
