package dataset

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestMergeInPlace: a row that is merged in place gives what a copied one does.
func TestMergeInPlace(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, sum := range []bool{false, true} {
		var copied, inPlace records
		for i := range 5000 {
			x := record{item: r.Int32N(4000), rating: float32(r.IntN(6))}
			x.setTime(int64(r.IntN(3)) * aDay)
			if i%7 == 0 {
				x.item = 1
			}
			copied.add(x)
			inPlace.add(x)
		}
		_, _, want := copied.merge(1, sum)
		repeats := 0
		n := inPlace.mergeInPlace(0, inPlace.n, 0, sum, &repeats)
		if repeats != want || want == 0 {
			t.Errorf("sum %t: %d repeats, want %d", sum, repeats, want)
		}
		inPlace.truncate(n)
		if !slices.Equal(copied.chunks[0], inPlace.chunks[0]) {
			t.Errorf("sum %t: %v, want %v", sum, inPlace.chunks[0], copied.chunks[0])
		}
	}
}
