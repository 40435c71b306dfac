package model

import (
	"fmt"

	"github.com/pmlam/pmlam/core/internal/digest"
)

// Decode decodes a model file. It returns an *Error unless the bytes are one complete, undamaged and consistent model
// of the version that this program reads; the package comment has its guarantees. The model does not refer to b.
// O(len(b)).
func Decode(b []byte) (*Model, error) {
	return DecodeBy(b, nil)
}

// DecodeBy is Decode with a function that may know the SHA-256 of the content in advance; if it returns false, DecodeBy
// computes it. sum is called at most once.
func DecodeBy(b []byte, sum func(content []byte) ([32]byte, bool)) (*Model, error) {
	l := layout{sum: sum}
	if err := l.read(b); err != nil {
		return nil, err
	}
	return l.build(), nil
}

// read checks a file completely: afterwards l.build cannot fail.
func (l *layout) read(b []byte) error {
	if len(b) > MaxSize {
		return &Error{TooLarge, -1, "", fmt.Sprintf("%d bytes, but at most %d are allowed", len(b), MaxSize)}
	}
	if err := readHeader(b); err != nil {
		return err
	}
	l.b = b
	if err := l.walk(); err != nil {
		return err
	}
	if sum := l.digest(b[contentAt:]); sum != [32]byte(b[digestAt:digestAt+32]) {
		detail := fmt.Sprintf("the content's SHA-256 is %x; fetch or copy it again", sum)
		return &Error{BadDigest, digestAt, "sha256", detail}
	}
	return checker{l}.check()
}

// digest is the SHA-256 of the content.
func (l *layout) digest(content []byte) [32]byte {
	if l.sum != nil {
		if sum, known := l.sum(content); known {
			return sum
		}
	}
	return digest.Sum(content)
}
