package model

import "testing"

func TestLengthOfAGuaranteedList(t *testing.T) {
	same := func(n int, p float64) (out []float64) {
		for range n {
			out = append(out, p)
		}
		return out
	}
	for _, x := range []struct {
		g       Guarantee
		chances []float64
		want    int
	}{
		{Guarantee{0.2, 0.8}, same(30, 0.9), MaxGuaranteed},
		{Guarantee{0.2, 0.8}, same(30, 0.79), 0},
		{Guarantee{0.2, 0.8}, same(4, 0.9), 0},                               // one in five needs five
		{Guarantee{0.2, 0.8}, same(5, 0.9), 5},                               // and five are enough
		{Guarantee{0.1, 0.5}, same(9, 0.9), 0},                               // one in ten needs ten
		{Guarantee{0.5, 0.75}, []float64{0.5, 1, 1, 0, 0}, 3},                // the longest whose mean is enough
		{Guarantee{0.5, 0.75}, []float64{0.75, 0.75, 0.75, 0.75, 0.5, 1}, 6}, // also beyond a dip
		{Guarantee{0.2, 0.8}, nil, 0},
	} {
		if got := x.g.Length(x.chances); got != x.want {
			t.Errorf("%v of %v: %d, want %d", x.g, x.chances, got, x.want)
		}
	}
}
