package model

import (
	"crypto/sha256"
	"errors"
	"testing"
)

// A known digest is compared with the file's; an unknown one is computed.
func TestDecodeByAnothersDigest(t *testing.T) {
	b := goldenFile(Int8)
	for _, c := range []struct {
		name  string
		wrong byte
		known bool
		want  bool // the file is refused
	}{
		{"right", 0, true, false},
		{"wrong", 1, true, true},
		{"not known", 1, false, false},
	} {
		calls := 0
		_, err := DecodeBy(b, func(content []byte) ([32]byte, bool) {
			calls++
			sum := sha256.Sum256(content)
			sum[0] ^= c.wrong
			return sum, c.known
		})
		e, refused := errors.AsType[*Error](err)
		if calls != 1 || refused != c.want || refused && e.Reason != BadDigest || !refused && err != nil {
			t.Errorf("%s: %d calls, %v", c.name, calls, err)
		}
	}
}
