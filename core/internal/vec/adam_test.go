package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

// RMSProp on the steps with a gradient equals a loop over all steps, in which v decays without one.
func TestRMSPropSkipsSteps(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const n, rate = 7, 0.01
	x, v := make([]float32, n), make([]float32, n)
	wantX, wantV := make([]float64, n), make([]float64, n)
	last := 0
	for step := 1; step <= 3000; step++ {
		g := make([]float32, n)
		if r.IntN(50) == 0 {
			for i := range g {
				g[i] = float32(r.NormFloat64())
			}
			size, eps := RMSPropStep(rate, step)
			RMSProp(x, g, v, step-last, size, eps)
			last = step
		}
		for i := range g {
			wantV[i] = beta2*wantV[i] + (1-beta2)*float64(g[i])*float64(g[i])
			if g[i] != 0 {
				corrected := math.Sqrt(wantV[i] / (1 - math.Pow(beta2, float64(step))))
				wantX[i] -= rate * float64(g[i]) / (corrected + epsilon)
			}
		}
	}
	for i := range x {
		if math.Abs(float64(x[i])-wantX[i]) > 1e-4*math.Abs(wantX[i])+1e-5 {
			t.Errorf("value %d is %g, want %g", i, x[i], wantX[i])
		}
	}
}

// A gradient followed by many steps without one moves a value as far with RMSProp as with Adam, which needs all those
// steps.
func TestRMSPropMovesAsFarAsAdam(t *testing.T) {
	const rate, every, last = 0.01, 250, 10_000
	a, m, va := []float32{0}, []float32{0}, []float32{0}
	x, v := []float32{0}, []float32{0}
	for step := 1; step <= last; step++ {
		g := []float32{0}
		if step%every == 1 {
			g[0] = 1
			size, eps := RMSPropStep(rate, step)
			RMSProp(x, g, v, min(step, every), size, eps)
		}
		size, eps := AdamStep(rate, step)
		Adam(a, g, m, va, size, eps)
	}
	if math.Abs(float64(x[0]/a[0])-1) > 0.02 {
		t.Errorf("moved by %g, by Adam %g", x[0], a[0])
	}
}
