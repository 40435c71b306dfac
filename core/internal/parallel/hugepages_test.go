package parallel

import "testing"

// Advice must never change the content of memory, whatever its size and position.
func TestAdviseHugeChangesNothing(t *testing.T) {
	for _, n := range []int{0, 1, 1000, least/4 - 1, least / 4, 3*page/4 + 7} {
		for _, shift := range []int{0, 1, 777} {
			x := make([]float32, n+shift)[shift:]
			for i := range x {
				x[i] = float32(i)
			}
			AdviseHuge(x)
			for i := range x {
				if x[i] != float32(i) {
					t.Fatalf("element %d of %d became %v", i, n, x[i])
				}
			}
		}
	}
}
