package vec

import (
	"math"
	"testing"
)

func TestExpsAreTheExponential(t *testing.T) {
	var x []float32
	for v := float32(-90); v < 90; v += 0.0037 {
		x = append(x, v)
	}
	x = append(x, 0, float32(math.Copysign(0, -1)), 1e-30, -1e-30, expMin, expMax, 1e30, -1e30,
		float32(math.Inf(1)), float32(math.Inf(-1)), float32(math.NaN()))
	got := make([]float32, len(x)+1)
	got[len(x)] = 42
	Exps(got, x)
	if got[len(x)] != 42 {
		t.Fatal("Exps wrote behind the end")
	}
	for i, v := range x {
		want := math.Exp(float64(min(v, expMax)))
		switch {
		case v != v:
			if got[i] == got[i] {
				t.Errorf("Exps(NaN) = %v", got[i])
			}
		case v < expMin:
			if got[i] != 0 {
				t.Errorf("Exps(%v) = %v, want 0", v, got[i])
			}
		case math.Abs(float64(got[i])-want) > 3e-7*want:
			t.Errorf("Exps(%v) = %v, want %v", v, got[i], want)
		}
		if one := exp32(v); one != got[i] && v == v {
			t.Fatalf("element %d, e^%v: %v in a vector, %v alone", i, v, got[i], one)
		}
	}
	Exps(x, x) // in place
	for i := range x {
		if x[i] != got[i] && x[i] == x[i] {
			t.Fatalf("in place, element %d is %v, not %v", i, x[i], got[i])
		}
	}
}

func BenchmarkExps(b *testing.B) {
	x, dst := make([]float32, 4096), make([]float32, 4096)
	for i := range x {
		x[i] = -float32(i%80) / 4
	}
	for b.Loop() {
		Exps(dst, x)
	}
	b.ReportMetric(b.Elapsed().Seconds()*1e9/float64(b.N*len(x)), "ns/value")
}
