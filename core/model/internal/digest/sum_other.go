//go:build !js

package digest

import "crypto/sha256"

// Sum returns the SHA-256 of b, and calls rest after every 64 KiB.
func Sum(b []byte, rest func()) [32]byte {
	h := sha256.New()
	for len(b) > piece {
		h.Write(b[:piece])
		b = b[piece:]
		rest()
	}
	h.Write(b)
	return [32]byte(h.Sum(nil))
}
