package learned

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// A turning row equals the direction of a row of any length that RMSProp moves by the whole gradient of a function of
// its direction, step by step, also after steps without a gradient.
func TestTurn(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	const cols, rate, beta2 = 5, 0.1, 0.999
	p := turning("rows", 2, cols, r)
	y, v := make([]float64, cols), make([]float64, cols)
	for k, x := range p.Row(1) {
		y[k] = float64(x)
	}
	for step := 1; step <= 500; step++ {
		for k := range v {
			v[k] *= beta2
		}
		if r.IntN(4) > 0 {
			continue
		}
		// The function is ‖d − to‖²·c, whose gradient by d is 2c(d − to).
		length := 0.0
		for _, x := range y {
			length += x * x
		}
		length = math.Sqrt(length)
		g, along, c := make([]float64, cols), 0.0, math.Exp(r.NormFloat64())
		sum := make([]float32, cols)
		for k := range g {
			g[k] = 2 * c * (y[k]/length - r.NormFloat64())
			along += g[k] * y[k] / length
			sum[k] = float32(g[k])
		}
		for k, x := range g {
			d := (x - along*y[k]/length) / length
			v[k] += (1 - beta2) * d * d
			g[k] = d
		}
		for k, d := range g {
			y[k] -= rate * d / (math.Sqrt(v[k]/(1-math.Pow(beta2, float64(step)))) + 1e-8)
		}
		size, eps := vec.RMSPropStep(rate, step)
		p.turn(1, sum, step, size, eps)
	}
	length := 0.0
	for _, x := range y {
		length += x * x
	}
	length = math.Sqrt(length)
	if got := float64(p.lengths[1]); math.Abs(got/length-1) > 1e-3 {
		t.Errorf("the length is %v, want %v", got, length)
	}
	for k, x := range p.Row(1) {
		if math.Abs(float64(x)-y[k]/length) > 1e-3 {
			t.Errorf("direction %d is %v, want %v", k, x, y[k]/length)
		}
	}
}
