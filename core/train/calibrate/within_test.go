package calibrate

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
)

// scatterPlainly is scatter, item by item.
func scatterPlainly(items *gaussian.Table, row []int32) (out []float64) {
	h := items.Dim()
	mean := make([]float64, h)
	for _, j := range row {
		for d, m := range items.Mean(int(j)) {
			mean[d] += float64(m)
		}
	}
	out = make([]float64, h*(h+1)/2)
	for _, j := range row {
		at := 0
		for d, x := range items.Mean(int(j)) {
			for e, y := range items.Mean(int(j))[:d+1] {
				n := float64(len(row))
				out[at] += float64((float64(x) - mean[d]/n) * (float64(y) - mean[e]/n))
				at++
			}
		}
	}
	return out
}

func scattered(n, h int) (*gaussian.Table, []int32) {
	r := rand.New(rand.NewPCG(3, uint64(n)))
	items := gaussian.NewTable(200, h)
	for i := range items.Len() {
		for d := range h {
			items.Mean(i)[d] = float32(r.NormFloat64())
		}
	}
	row := make([]int32, n)
	for k := range row {
		row[k] = r.Int32N(200)
	}
	return items, row
}

// Adding four items at once gives the same bits as adding one after the other, whatever the scratch space held.
func TestScatterIsThePlainOne(t *testing.T) {
	for _, h := range []int{1, 2, 7, 50} {
		for n := 2; n < 13; n++ {
			items, row := scattered(n, h)
			mean, dev, out := make([]float64, h), make([]float64, 4*h), make([]float64, h*(h+1)/2)
			for _, x := range [][]float64{mean, dev, out} {
				for k := range x {
					x[k] = 7
				}
			}
			scatter(out, items, row, mean, dev)
			if !slices.Equal(out, scatterPlainly(items, row)) {
				t.Errorf("%d items in %d dimensions: another scatter", n, h)
			}
		}
	}
}

// A user with 150 likes in 100 dimensions.
func BenchmarkScatter(b *testing.B) {
	const h = 100
	items, row := scattered(150, h)
	mean, dev, out := make([]float64, h), make([]float64, 4*h), make([]float64, h*(h+1)/2)
	for b.Loop() {
		scatter(out, items, row, mean, dev)
	}
}
