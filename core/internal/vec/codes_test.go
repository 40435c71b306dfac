package vec

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// The assembly gives the sums of the plain loop, and both what the nibbles say, at the ends of the ranges too.
func TestCodeDots(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for n := range 70 {
		var query [Codes]int16
		for j := range query {
			query[j] = []int16{-32767, 32767, int16(r.IntN(65535) - 32767)}[r.IntN(3)]
		}
		codes, want := make([]uint16, n*CodeWords+3), make([]int32, n+1)
		got, plain := make([]int32, n+1), make([]int32, n+1)
		got[n], want[n], plain[n] = 77, 77, 77
		for i := range n {
			for j, q := range query {
				code := []int{0, 15, r.IntN(16)}[r.IntN(3)]
				codes[i*CodeWords+j%16] |= uint16(code << (4 * (j / 16)))
				want[i] += int32(q) * int32(code)
			}
		}
		CodeDots(got[:n], &query, codes)
		codeDotsGo(plain[:n], &query, codes)
		if !slices.Equal(got, want) || !slices.Equal(plain, want) {
			t.Fatalf("%d rows: %v, in Go %v, want %v", n, got, plain, want)
		}
	}
}
