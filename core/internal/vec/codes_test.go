package vec

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The assembly gives the sums of the plain loop, at the ends of the ranges too.
func TestCodeDots(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for w := 0; w <= 72; w += 8 {
		for n := range 7 {
			query, codes := make([]int16, w), make([]int8, n*w+3)
			for i := range query {
				query[i] = []int16{-32767, 32767, int16(r.IntN(65535) - 32767)}[r.IntN(3)]
			}
			for i := range codes {
				codes[i] = []int8{-127, 127, int8(r.IntN(255) - 127)}[r.IntN(3)]
			}
			got, want := make([]int32, n+1), make([]int32, n+1)
			got[n], want[n] = 77, 77
			CodeDots(got[:n], query, codes)
			for i := range n {
				for j, q := range query {
					want[i] += int32(q) * int32(codes[i*w+j])
				}
			}
			plain := make([]int32, n+1)
			plain[n] = 77
			codeDotsGo(plain[:n], query, codes)
			if !slices.Equal(got, want) || !slices.Equal(plain, want) {
				t.Fatalf("%d rows of %d: %v, in Go %v, want %v", n, w, got, plain, want)
			}
		}
	}
}
