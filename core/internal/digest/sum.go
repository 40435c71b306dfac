// Package digest is SHA-256 (FIPS 180-4).
//
// crypto/sha256 links the machinery of certified modules (AES, SHA-3, HMAC, a random generator): 35 KB of brotli in the
// page's program and 34 KB in wasm/embed, which would exceed its budget of 860 KB. Neither is faster: both hash the
// shipped model, 1.1 MB, in ten to thirty milliseconds under node. Sum detects damage in public data; no secret depends
// on it.
package digest

import (
	"encoding/binary"
	"math/bits"

	"github.com/pmlam/pmlam/core/yield"
)

// piece is the number of bytes between two calls of yield.Now: a millisecond or two in a browser that has not optimised
// this code yet.
const piece = 64 << 10

// sum returns the SHA-256 of b. O(len(b)); nothing is allocated.
func sum(b []byte) [32]byte {
	h := [8]uint32{
		0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
	}
	full := len(b) &^ 63
	for from := 0; from < full; from += piece {
		if from > 0 {
			yield.Now()
		}
		blocks(&h, b[from:min(from+piece, full)])
	}

	// The tail: the remaining bytes, a one bit, zeros, and the length in bits.
	var tail [128]byte
	n := copy(tail[:], b[full:])
	tail[n] = 0x80
	end := 64
	if n >= 56 {
		end = 128
	}
	binary.BigEndian.PutUint64(tail[end-8:], uint64(len(b))<<3)
	blocks(&h, tail[:end])

	var out [32]byte
	for i, v := range h {
		binary.BigEndian.PutUint32(out[4*i:], v)
	}
	return out
}

// blocks adds whole blocks of 64 bytes to the state.
func blocks(state *[8]uint32, p []byte) {
	var w [64]uint32
	a0, b0, c0, d0, e0, f0, g0, h0 := state[0], state[1], state[2], state[3], state[4], state[5], state[6], state[7]
	for ; len(p) >= 64; p = p[64:] {
		for i := range 16 {
			w[i] = binary.BigEndian.Uint32(p[4*i:])
		}
		for i := 16; i < 64; i++ {
			x, y := w[i-15], w[i-2]
			s0 := bits.RotateLeft32(x, -7) ^ bits.RotateLeft32(x, -18) ^ x>>3
			s1 := bits.RotateLeft32(y, -17) ^ bits.RotateLeft32(y, -19) ^ y>>10
			w[i] = w[i-16] + s0 + w[i-7] + s1
		}
		a, b, c, d, e, f, g, h := a0, b0, c0, d0, e0, f0, g0, h0
		for i := range 64 {
			s1 := bits.RotateLeft32(e, -6) ^ bits.RotateLeft32(e, -11) ^ bits.RotateLeft32(e, -25)
			t1 := h + s1 + (e&f ^ ^e&g) + round[i] + w[i]
			s0 := bits.RotateLeft32(a, -2) ^ bits.RotateLeft32(a, -13) ^ bits.RotateLeft32(a, -22)
			t2 := s0 + (a&b ^ a&c ^ b&c)
			h, g, f, e, d, c, b, a = g, f, e, d+t1, c, b, a, t1+t2
		}
		a0, b0, c0, d0, e0, f0, g0, h0 = a0+a, b0+b, c0+c, d0+d, e0+e, f0+f, g0+g, h0+h
	}
	*state = [8]uint32{a0, b0, c0, d0, e0, f0, g0, h0}
}

// round holds the constants: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
var round = [64]uint32{
	0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
	0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
	0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
	0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
	0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
	0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
	0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
	0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
}
