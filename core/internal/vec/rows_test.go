package vec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// rowLengths are lengths for the fast and for the slow version.
var rowLengths = []int{0, 1, 7, 8, 16, 50, 56, 64, 100, 104}

// both runs kernel and twin on copies of the same values and compares the results, including guards. Both get slices of
// the given lengths.
func both(t *testing.T, name string, r *rand.Rand, lengths []int, kernel, twin func(x [][]float32)) {
	t.Helper()
	full, views, want := make([][]float32, len(lengths)), make([][]float32, len(lengths)),
		make([][]float32, len(lengths))
	for i, n := range lengths {
		if n < 0 {
			continue // nil
		}
		want[i] = draw(r, n)
		full[i] = guarded(n)
		copy(full[i], want[i])
		views[i] = full[i][:n:n]
	}
	kernel(views)
	twin(want)
	for i := range lengths {
		if lengths[i] >= 0 {
			equalBits(t, fmt.Sprintf("%s, argument %d", name, i), full[i], want[i])
		}
	}
}

func TestRowKernelsGiveTheBitsOfTheirTwins(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(41, 42))
		for _, h := range rowLengths {
			for _, eps := range []int{h, -1} {
				if h == 0 && eps == 0 {
					continue
				}
				c := float32(r.NormFloat64())
				both(t, "Lower", r, []int{h, 2 * h, eps},
					func(x [][]float32) { Lower(x[0], x[1], x[2]) },
					func(x [][]float32) { lowerGo(x[0], x[1], x[2]) })
				both(t, "SampleDiff", r, []int{h, h, h, 2 * h, eps},
					func(x [][]float32) { SampleDiff(x[0], x[1], x[2], x[3], x[4]) },
					func(x [][]float32) { sampleDiffGo(x[0], x[1], x[2], x[3], x[4]) })
				both(t, "TwoDiff", r, []int{h, h, h, 2 * h, eps},
					func(x [][]float32) { TwoDiff(x[0], x[1], x[2], x[3], x[4]) },
					func(x [][]float32) { twoDiffGo(x[0], x[1], x[2], x[3], x[4]) })
				both(t, "TripletBackward", r, []int{2 * h, 2 * h, h, 2 * h, 2 * h, h, h, eps},
					func(x [][]float32) { TripletBackward(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], c) },
					func(x [][]float32) { tripletBackwardGo(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], 2*c) })
			}
			both(t, "AddProduct", r, []int{h, h, h},
				func(x [][]float32) { AddProduct(x[0], x[1], x[2]) },
				func(x [][]float32) { addProductGo(x[0], x[1], x[2]) })
			both(t, "AxpyInto", r, []int{h, h, h},
				func(x [][]float32) { AxpyInto(x[0], 0.3, x[1], x[2]) },
				func(x [][]float32) { axpyIntoGo(x[0], 0.3, x[1], x[2]) })
			c, s := float32(r.NormFloat64()), r.Float32()
			both(t, "SlopeScale", r, []int{h, h, h},
				func(x [][]float32) { SlopeScale(x[0], x[1], x[2], c) },
				func(x [][]float32) { slopeScaleGo(x[0], x[1], x[2], c) })
			var rho, wantRho float32
			both(t, "SecondOrder", r, []int{h, h, h, h, h, h},
				func(x [][]float32) { rho = SecondOrder(x[0], x[1], x[2], x[3], x[4], x[5], c, s) },
				func(x [][]float32) {
					ws := c * s
					wantRho = ws * (1 - s) * slopeDotGo(x[3], x[4], x[5])
					secondOrderGo(x[0], x[1], x[2], x[3], x[4], x[5], wantRho, ws)
				})
			if !sameBits(rho, wantRho) {
				t.Errorf("SecondOrder of %d: ρ = %v, want %v", h, rho, wantRho)
			}
			both(t, "SecondOrder in place", r, []int{h, h, h, h, h},
				func(x [][]float32) { SecondOrder(x[0], x[1], x[2], x[3], x[0], x[4], c, s) },
				func(x [][]float32) {
					ws := c * s
					secondOrderGo(x[0], x[1], x[2], x[3], x[0], x[4], ws*(1-s)*slopeDotGo(x[3], x[0], x[4]), ws)
				})
		}
	})
}

// The kernels match their formulas in float64.
func TestRowKernelsAreTheirFormulas(t *testing.T) {
	r := rand.New(rand.NewPCG(43, 44))
	const h = 16
	near := func(name string, i int, got float32, want float64) {
		t.Helper()
		if math.Abs(float64(got)-want) > 1e-5*(1+math.Abs(want)) {
			t.Errorf("%s, element %d: %v, want %v", name, i, got, want)
		}
	}
	row, anchor, eps, xa, beta, diff, z := draw(r, 2*h), draw(r, 2*h), draw(r, h), draw(r, h), draw(r, h),
		make([]float32, h), make([]float32, h)
	f := func(x []float32, i int) float64 { return float64(x[i]) }
	sample := func(i int) float64 { return f(row, i) + f(row, h+i)*f(eps, i) }
	SampleDiff(diff, z, xa, row, eps)
	for i := range h {
		d := f(xa, i) - sample(i)
		near("diff", i, diff[i], d)
		near("z", i, z[i], d*d)
	}
	two := make([]float32, h)
	TwoDiff(two, diff, beta, row, eps)
	for i := range h {
		near("TwoDiff", i, two[i], 2*f(diff, i)*(f(beta, i)-sample(i)))
	}
	const c = 0.7
	grad, accD, accX := make([]float32, 2*h), make([]float32, 2*h), make([]float32, h)
	TripletBackward(grad, accD, accX, anchor, row, diff, beta, eps, c)
	for i := range h {
		e, e2, dx := 2*c*(f(row, i)-f(anchor, i)), 2*c*(f(row, h+i)-f(anchor, h+i)), -2*f(diff, i)*f(beta, i)
		near("grad μ", i, grad[i], e+dx)
		near("grad s", i, grad[h+i], e2+dx*f(eps, i))
		near("accD μ", i, accD[i], -e)
		near("accD s", i, accD[h+i], -e2)
		near("accX", i, accX[i], -dx)
	}
	g, tt, w2, gw, da, dt := make([]float32, h), draw(r, h), draw(r, h), make([]float32, h), make([]float32, h),
		make([]float32, h)
	for i := range g {
		g[i] = float32(math.Tanh(r.NormFloat64()))
	}
	const weight, s = 1.3, 0.4
	var kappa float64
	slope := func(i int) float64 { return 1 - f(g, i)*f(g, i) }
	for i := range h {
		kappa += f(w2, i) * slope(i) * f(tt, i)
	}
	rho := weight * s * (1 - s) * kappa
	near("ρ", 0, SecondOrder(da, dt, gw, g, tt, w2, weight, s), rho)
	for i := range h {
		near("gw", i, gw[i], rho*f(g, i)+weight*s*slope(i)*f(tt, i))
		near("da", i, da[i], rho*f(w2, i)*slope(i)-2*weight*s*f(w2, i)*f(g, i)*slope(i)*f(tt, i))
		near("dt", i, dt[i], weight*s*f(w2, i)*slope(i))
	}
	SlopeScale(da, g, w2, c)
	for i := range h {
		near("SlopeScale", i, da[i], c*f(w2, i)*slope(i))
	}
}

func TestRowKernelsPanicOnShortSlices(t *testing.T) {
	full := func(n int) []float32 { return make([]float32, n) }
	for name, f := range map[string]func(){
		"Lower, row":        func() { Lower(full(8), full(15), full(8)) },
		"Lower, noise":      func() { Lower(full(8), full(16), full(7)) },
		"SampleDiff, z":     func() { SampleDiff(full(8), full(7), full(8), full(16), full(8)) },
		"SampleDiff, noise": func() { SampleDiff(full(8), full(8), full(8), full(16), full(7)) },
		"SampleDiff, row":   func() { SampleDiff(full(8), full(8), full(8), full(15), full(8)) },
		"TwoDiff, va":       func() { TwoDiff(full(8), full(8), full(7), full(16), nil) },
		"TripletBackward, row": func() {
			TripletBackward(full(16), full(16), full(8), full(16), full(15), full(8),
				full(8), nil, 1)
		},
		"TripletBackward, grad": func() {
			TripletBackward(full(15), full(16), full(8), full(16), full(16), full(8),
				full(8), nil, 1)
		},
		"SecondOrder, w2":  func() { SecondOrder(full(8), full(8), full(8), full(8), full(8), full(7), 1, 1) },
		"Adam, v":          func() { Adam(full(8), full(8), full(8), full(7), 1, 1) },
		"SquaredDistances": func() { SquaredDistances(full(4), full(8), full(31)) },
		"MatVec":           func() { MatVec(full(4), full(31), full(8)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s too short: no panic", name)
				}
			}()
			// Extra capacity of the slice must not help.
			f()
		}()
	}
}

func TestAdamGivesTheBitsOfItsTwin(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(45, 46))
		for _, n := range lengths {
			positive := func(v []float32) {
				for i := range v {
					v[i] = v[i] * v[i] * 1e-3
				}
			}
			both(t, "Adam", r, []int{n, n, n, n},
				func(x [][]float32) { positive(x[3]); Adam(x[0], x[1], x[2], x[3], 3e-3, 1e-8) },
				func(x [][]float32) { positive(x[3]); adamGo(x[0], x[1], x[2], x[3], 3e-3, 1e-8) })
		}
	})
}

// From zero, a bias-corrected step of Adam moves by the learning rate against the gradient's sign.
func TestAdamsFirstStep(t *testing.T) {
	x, g, m, v := make([]float32, 20), draw(rand.New(rand.NewPCG(1, 1)), 20), make([]float32, 20), make([]float32, 20)
	const rate = 0.01
	Adam(x, g, m, v, float32(rate*math.Sqrt(1-beta2)/(1-beta1)), 0)
	for i := range x {
		if want := -math.Copysign(rate, float64(g[i])); math.Abs(float64(x[i])-want) > 1e-7 {
			t.Errorf("x_%d = %v after the gradient %v, want %v", i, x[i], g[i], want)
		}
	}
}

func BenchmarkRows(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	const h = 56
	d := func(n int) []float32 { return draw(r, n) }
	row, anchor, eps, xa, beta, diff, z := d(2*h), d(2*h), d(h), d(h), d(h), d(h), d(h)
	grad, accD, accX := d(2*h), d(2*h), d(h)
	m, v := make([]float32, 2*h), make([]float32, 2*h)
	for i := range v {
		m[i], v[i] = 0.1, 0.2
	}
	for _, k := range []struct {
		name   string
		values int
		f      func()
	}{
		{"Lower", h, func() { Lower(diff, row, eps) }},
		{"SampleDiff", h, func() { SampleDiff(diff, z, xa, row, eps) }},
		{"TwoDiff", h, func() { TwoDiff(z, diff, xa, row, eps) }},
		{"TripletBackward", h, func() { TripletBackward(grad, accD, accX, anchor, row, diff, beta, eps, 1e-9) }},
		{"SlopeScale", h, func() { SlopeScale(z, beta, eps, 0.5) }},
		{"SecondOrder", h, func() { SecondOrder(diff, z, accX, beta, eps, xa, 1e-9, 0.5) }},
		{"Adam", 2 * h, func() { Adam(grad, row, m, v, 1e-3, 1e-8) }},
	} {
		b.Run(k.name, func(b *testing.B) {
			eachKernelBench(b, func(b *testing.B) { perValue(b, k.values, k.f) })
		})
	}
}
