package digest

import (
	"crypto/sha256"
	"testing"

	"github.com/pmlam/pmlam/core/yield"
)

// TestSumIsSHA256 compares the browser's code with the standard library at every length around three blocks, which
// covers all cases of the padding, and at one long one.
func TestSumIsSHA256(t *testing.T) {
	yields := 0
	yield.Set(func() { yields++ })
	defer yield.Set(nil)
	b := make([]byte, 3*piece+50_003)
	for i := range b {
		b[i] = byte(i*i>>3 ^ i)
	}
	for n := range 200 {
		if sum(b[n:2*n]) != sha256.Sum256(b[n:2*n]) {
			t.Fatalf("length %d: not the SHA-256", n)
		}
	}
	if sum(b) != sha256.Sum256(b) || Sum(b) != sha256.Sum256(b) {
		t.Error("long text: not the SHA-256")
	}
	if yields != 6 {
		t.Errorf("it yielded %d times, want 3 each", yields)
	}
}

func BenchmarkSum(b *testing.B) {
	data := make([]byte, 1<<20)
	b.SetBytes(1 << 20)
	for range b.N {
		sum(data)
	}
}
