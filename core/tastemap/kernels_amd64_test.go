package tastemap

import "testing"

// The walk for eight points at once gives the bits of the walks one by one.
func TestRepulsionsOfEightPoints(t *testing.T) {
	if !useAVX512 {
		t.Skip("SKIPPED: this CPU has no AVX-512")
	}
	for _, n := range []int{4, 9, 731} {
		xy := make([]float64, 2*n)
		for i, v := range cloud(n, 2, 7).Data {
			xy[i] = float64(v)
		}
		copy(xy[n:n+n/4*2], xy) // coincident points
		var tr tree
		tr.build(xy)
		for _, opening := range []float64{0, 0.5, 2} {
			got, want := make([]float64, 2*n), make([]float64, 2*n)
			sum, wanted := tr.repulsions(got, n/9, n, opening), tr.repulsionsGo(want, n/9, n, opening)
			if sum != wanted {
				t.Errorf("%d points, opening %v: the weights sum to %v, want %v", n, opening, sum, wanted)
			}
			for i := range want {
				if got[i] != want[i] {
					t.Fatalf("%d points, opening %v: value %d is %v, want %v", n, opening, i, got[i], want[i])
				}
			}
		}
	}
}
