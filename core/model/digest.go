package model

import "crypto/sha256"

// digestPiece is how many bytes are hashed between two rests: a millisecond or two in a browser that has just compiled the
// code.
const digestPiece = 64 << 10

// digest returns the SHA-256 of b and calls rest between pieces of digestPiece bytes. O(len(b)).
func digest(b []byte, rest func()) (sum [sha256.Size]byte) {
	h := sha256.New()
	for len(b) > digestPiece {
		h.Write(b[:digestPiece])
		b = b[digestPiece:]
		rest()
	}
	h.Write(b)
	h.Sum(sum[:0])
	return sum
}
