//go:build !js

package digest

import (
	"crypto/sha256"

	"github.com/pmlam/pmlam/core/yield"
)

// Sum returns the SHA-256 of b. It yields the thread after every 64 KiB.
func Sum(b []byte) [32]byte {
	h := sha256.New()
	for len(b) > piece {
		h.Write(b[:piece])
		b = b[piece:]
		yield.Now()
	}
	h.Write(b)
	return [32]byte(h.Sum(nil))
}
