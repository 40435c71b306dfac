package server

import (
	"bytes"
	stdgzip "compress/gzip"
	"io"
	"slices"

	stdbrotli "github.com/andybalholm/brotli"
)

// MaxSite is the maximum size of a site folder in bytes, including compressed forms: it is kept in memory.
const MaxSite = 1 << 30

// UnpacksTo reports whether packed decompresses to want with the given coding, "br" or "gzip". It compares while
// reading and stops after len(want) bytes, so decompression bombs are harmless.
func UnpacksTo(coding string, packed, want []byte) bool {
	var r io.Reader
	switch coding {
	case brotli:
		r = stdbrotli.NewReader(bytes.NewReader(packed))
	case gzip:
		z, err := stdgzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return false
		}
		r = z
	}
	buf := make([]byte, 64<<10)
	for {
		n, err := r.Read(buf)
		if n > len(want) || !slices.Equal(buf[:n], want[:n]) {
			return false
		}
		want = want[n:]
		if err == io.EOF {
			return len(want) == 0
		}
		if err != nil {
			return false
		}
	}
}
