package topk

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// Select returns what a heap keeps, also of many equal scores.
func TestSelect(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{0, 1, 2, 3, 10, 500} {
		for _, k := range []int{-1, 0, 1, 2, 9, 100, 499, 500, 600} {
			all, heap := make([]Entry[float32], n), New[float32](k)
			for i := range all {
				all[i] = Entry[float32]{float32(r.IntN(20)), int32(i)}
			}
			r.Shuffle(n, func(i, j int) { all[i], all[j] = all[j], all[i] })
			for _, e := range all {
				heap.Offer(e.Item, e.Score)
			}
			got := Select(all, k)
			slices.SortFunc(got, func(a, b Entry[float32]) int {
				if a.Before(b) {
					return -1
				}
				return 1
			})
			if want := heap.Sorted(); !slices.Equal(got, want) {
				t.Errorf("best %d of %d: %v, want %v", k, n, got, want)
			}
		}
	}
}
