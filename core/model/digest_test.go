package model

import (
	"crypto/sha256"
	"testing"
)

func TestDigestIsSHA256(t *testing.T) {
	b := make([]byte, 3*digestPiece+50_003)
	for i := range b {
		b[i] = byte(i*i>>3 ^ i)
	}
	for n, want := range map[int]int{0: 0, 1: 0, digestPiece: 0, digestPiece + 1: 1, len(b): 3} {
		rests := 0
		if digest(b[:n], func() { rests++ }) != sha256.Sum256(b[:n]) {
			t.Errorf("length %d: not the SHA-256", n)
		}
		if rests != want {
			t.Errorf("length %d: it rested %d times, want %d", n, rests, want)
		}
	}
}
