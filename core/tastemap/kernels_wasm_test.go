//go:build train

package tastemap

import (
	"context"
	"math"
	"testing"
)

// The kernels give the bits of Go's loops.
func TestKernelsGiveTheBitsOfGo(t *testing.T) {
	if !kernels {
		t.Skip("SKIPPED: this run deliberately has no kernels")
	}
	const n = 731
	rows := cloud(n, 2, 7)
	a, err := newAffinities(context.Background(), rows, 8, 1, func(int) {})
	if err != nil {
		t.Fatal(err)
	}
	d := descent{p: a, xy: make([]float64, 2*n), slope: make([]float64, 2*n), push: make([]float64, 2*n)}
	for i, v := range rows.Data {
		d.xy[i] = float64(v)
	}
	copy(d.xy[40:80], d.xy[:40]) // coincident points
	d.tree.build(d.xy)
	for _, opening := range []float64{0, 0.5, 2} {
		got := d.tree.repulsions(d.push, 3, n, opening)
		pushed := append([]float64(nil), d.push...)
		if want := d.tree.repulsionsGo(d.push, 3, n, opening); got != want {
			t.Errorf("opening %v: the weights sum to %v, want %v", opening, got, want)
		}
		same(t, "repulsions", pushed, d.push)
		d.slopes(1, n, 12, got)
		sloped := append([]float64(nil), d.slope...)
		d.slopesGo(1, n, 12, got)
		same(t, "slopes", sloped, d.slope)
	}
}

func same(t *testing.T, name string, got, want []float64) {
	t.Helper()
	for i := range want {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Fatalf("%s: value %d is %v, want %v", name, i, got[i], want[i])
		}
	}
}
