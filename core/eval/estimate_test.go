package eval

import (
	"math"
	"math/rand/v2"
	"testing"
)

// The intervals must hold the true value about 95 times in 100.
func TestIntervalsHoldTheTruth(t *testing.T) {
	const trials, n = 300, 60
	r := rand.New(rand.NewPCG(1, 2))
	mean, correlation := 0, 0
	for k := range trials {
		values, x, y := make([]float64, n), make([]float64, n), make([]float64, n)
		for i := range n {
			values[i] = r.ExpFloat64()
			x[i] = r.NormFloat64()
			y[i] = 0.6*x[i] + 0.8*r.NormFloat64()
		}
		if e := Mean(values, uint64(k)); e.Low <= 1 && 1 <= e.High {
			mean++
		}
		// Spearman's correlation of a normal pair with Pearson's ρ.
		truth := 6 / math.Pi * math.Asin(0.6/2)
		if e := Spearman(x, y); e.Low <= truth && truth <= e.High {
			correlation++
		}
	}
	for name, got := range map[string]int{"mean": mean, "correlation": correlation} {
		if share := float64(got) / trials; share < 0.89 || share > 0.99 {
			t.Errorf("%s: the intervals hold the truth in %.3f of the trials", name, share)
		}
	}
}

func TestSpearmanKnowsTiesAndOrder(t *testing.T) {
	for _, c := range []struct {
		x, y []float64
		want float64
	}{
		{[]float64{1, 2, 3, 4, 5}, []float64{1, 8, 27, 64, 125}, 1},
		{[]float64{1, 2, 3, 4, 5}, []float64{5, 4, 3, 2, 1}, -1},
		// by hand: mean ranks (1,2.5,2.5,4,5), (1,2,3,4.5,4.5)
		{[]float64{1, 2, 2, 4, 5}, []float64{1, 2, 3, 4, 4}, 9 / 9.5},
		{[]float64{7, 7, 7, 7, 7}, []float64{1, 2, 3, 4, 5}, 0},
	} {
		if got := Spearman(c.x, c.y).Value; math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v and %v: %v, want %v", c.x, c.y, got, c.want)
		}
	}
	if e := Spearman([]float64{1, 2, 3}, []float64{1, 2, 3}); e != (Estimate{}) {
		t.Errorf("three pairs give %v, want zeros", e)
	}
}

// A correlation that is only due to a third variable vanishes when that is removed.
func TestPartialTakesTheThirdOut(t *testing.T) {
	const n = 4000
	r := rand.New(rand.NewPCG(3, 4))
	x, y, z := make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		z[i] = r.NormFloat64()
		x[i], y[i] = z[i]+r.NormFloat64(), z[i]+r.NormFloat64()
	}
	if e := Spearman(x, y); e.Low < 0.4 {
		t.Errorf("together: %v", e)
	}
	if e := Partial(x, y, z); math.Abs(e.Value) > 0.06 {
		t.Errorf("without the third: %v", e)
	}
}
