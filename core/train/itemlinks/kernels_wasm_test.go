//go:build train

package itemlinks

import (
	"math/rand/v2"
	"testing"
)

// The kernel gives the bits of Go's loop.
func TestKernelsGiveTheBitsOfGo(t *testing.T) {
	if !kernels {
		t.Skip("SKIPPED: this run deliberately has no kernels")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, m := range []int{1, 2, 7, 63, MaxPool} {
		e, want := &Equations{}, &Equations{}
		for k := range m {
			for j := k; j < m; j++ {
				e.Shared[k][j] = float64(r.IntN(9))
			}
			e.Shared[k][k] += 400
			e.Common[k] = float64(r.IntN(30))
		}
		*want = *e
		got := e.weights(m, Recipe{Lambda: 20})
		for k := range m {
			copy(want.gram[k][k:m], want.Shared[k][k:m])
			want.gram[k][k] += 20
			want.right[k] = want.Common[k]
		}
		want.solveGo(m)
		for k, w := range want.right[:m] {
			if got[k] != w {
				t.Fatalf("%d equations: value %d is %v, want %v", m, k, got[k], w)
			}
		}
	}
}
