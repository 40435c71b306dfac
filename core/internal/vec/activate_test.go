package vec

import (
	"math"
	"math/rand/v2"
	"testing"
)

// awkward returns values for which elementwise functions often fail.
func awkward() []float32 {
	inf := float32(math.Inf(1))
	x := []float32{0, 1e-45, 1e-38, 1e-30, 1e-4, 0.17328, 0.34657, 0.5, 1, 8.999, 9.01, 10, 10.0001, 86.99, 87, 87.01,
		88, 103, 104, 1e10, math.MaxFloat32, inf}
	for _, v := range x {
		x = append(x, -v)
	}
	return append(x, float32(math.NaN()))
}

// activationInputs draws n values of all sizes, including the awkward ones.
func activationInputs(r *rand.Rand, n int) []float32 {
	x, special := make([]float32, n), awkward()
	for i := range x {
		switch r.IntN(4) {
		case 0:
			x[i] = special[r.IntN(len(special))]
		case 1:
			x[i] = math.Float32frombits(r.Uint32())
		case 2:
			x[i] = float32(100 * r.NormFloat64())
		default:
			x[i] = float32(r.NormFloat64())
		}
	}
	return x
}

// equalBits fails t if got and want differ in a bit (all NaN are equal), or if got's guards after len(want) changed.
func equalBits(t *testing.T, name string, got, want []float32) {
	t.Helper()
	for i := range want {
		if !sameBits(got[i], want[i]) {
			t.Fatalf("%s of %d, element %d: %g (%#x), want %g (%#x)", name, len(want), i,
				got[i], math.Float32bits(got[i]), want[i], math.Float32bits(want[i]))
		}
	}
	for i, v := range got[len(want):] {
		if v != guard {
			t.Fatalf("%s of %d wrote %d past the end", name, len(want), i)
		}
	}
}

// guarded returns n words to write to, followed by guards.
func guarded(n int) []float32 {
	x := make([]float32, n+guardWords)
	for i := range x {
		x[i] = guard
	}
	return x
}

func TestActivationsGiveTheBitsOfTheirTwins(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(31, 32))
		for _, n := range lengths {
			for range 200 {
				x := activationInputs(r, n)
				got, want := guarded(n), make([]float32, n)
				Tanhs(got[:n], x)
				tanhsGo(want, x)
				equalBits(t, "Tanhs", got, want)
				got = guarded(n)
				Exps(got[:n], x)
				expsGo(want, x)
				equalBits(t, "Exps", got, want)
				other, wantOther := guarded(n), make([]float32, n)
				got = guarded(n)
				SoftplusSigmoids(got[:n], other[:n], x)
				softplusSigmoidsGo(want, wantOther, x)
				equalBits(t, "softplus", got, want)
				equalBits(t, "sigmoid", other, wantOther)
			}
		}
	})
}

func TestActivationsInPlace(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(33, 34))
		x := activationInputs(r, 27)
		want, in := make([]float32, 27), append([]float32{}, x...)
		Tanhs(want, x)
		Tanhs(in, in)
		equalBits(t, "Tanhs", in, want)
		Exps(want, x)
		in = append(in[:0], x...)
		Exps(in, in)
		equalBits(t, "Exps", in, want)
		other := make([]float32, 27)
		SoftplusSigmoids(want, other, x)
		a, b := append([]float32{}, x...), append([]float32{}, x...)
		out := make([]float32, 27)
		SoftplusSigmoids(a, out, a)
		equalBits(t, "softplus", a, want)
		SoftplusSigmoids(out, b, b)
		equalBits(t, "sigmoid", b, other)
	})
}

// everyFloat calls f for blocks of every stride-th positive float32 from lo to hi, and for their negatives.
func everyFloat(lo, hi float32, stride uint32, f func(x []float32)) {
	block := make([]float32, 0, 4096)
	for b := math.Float32bits(lo); b <= math.Float32bits(hi); b += stride {
		block = append(block, math.Float32frombits(b), -math.Float32frombits(b))
		if len(block) == cap(block) {
			f(block)
			block = block[:0]
		}
	}
	f(block)
}

// stride selects the float32 values to test error bounds at; 1 tests all, which takes minutes.
const stride = 997

func TestExpsWithinItsBound(t *testing.T) {
	y := make([]float32, 4096)
	var worst float64
	everyFloat(1e-42, 200, stride, func(x []float32) {
		Exps(y, x)
		for i, v := range x {
			switch {
			case v < -87:
				if y[i] != 0 {
					t.Fatalf("exp %v = %v", v, y[i])
				}
			case v > 88:
				if !math.IsInf(float64(y[i]), 1) {
					t.Fatalf("exp %v = %v", v, y[i])
				}
			default:
				want := math.Exp(float64(v))
				worst = max(worst, math.Abs(float64(y[i])-want)/want)
			}
		}
	})
	t.Logf("largest relative error %.3g", worst)
	if worst > 1e-7 {
		t.Errorf("relative error %.3g, want ≤ 1e-7", worst)
	}
}

func TestTanhsWithinItsBound(t *testing.T) {
	y := make([]float32, 4096)
	var worst, relative float64
	everyFloat(1e-42, 11, stride, func(x []float32) {
		Tanhs(y, x)
		for i, v := range x {
			want := math.Tanh(float64(v))
			e := math.Abs(float64(y[i]) - want)
			worst, relative = max(worst, e), max(relative, e/(math.Abs(want)+1e-40))
			if y[i] > 1 || y[i] < -1 {
				t.Fatalf("tanh %v = %v", v, y[i])
			}
		}
	})
	t.Logf("largest absolute error %.3g, relative %.3g", worst, relative)
	if worst > 1e-7 || relative > 2e-7 {
		t.Errorf("absolute error %.3g, want ≤ 1e-7; relative %.3g, want ≤ 2e-7", worst, relative)
	}
}

func TestSoftplusSigmoidsWithinTheirBounds(t *testing.T) {
	y, s := make([]float32, 4096), make([]float32, 4096)
	var worst, worstSigmoid, relative, relativeSigmoid float64
	everyFloat(1e-42, 200, stride, func(x []float32) {
		SoftplusSigmoids(y, s, x)
		for i, v := range x {
			w := float64(v)
			want := math.Max(w, 0) + math.Log1p(math.Exp(-math.Abs(w)))
			wantSigmoid := 1 / (1 + math.Exp(-w))
			e, es := math.Abs(float64(y[i])-want), math.Abs(float64(s[i])-wantSigmoid)
			worst, worstSigmoid = max(worst, e/math.Max(1, w)), max(worstSigmoid, es)
			if w < 0 && w >= -87 {
				relative, relativeSigmoid = max(relative, e/want), max(relativeSigmoid, es/wantSigmoid)
			}
			if !(y[i] > 0) || !(s[i] > 0) || s[i] > 1 {
				t.Fatalf("softplus %v = %v, sigmoid %v", v, y[i], s[i])
			}
		}
	})
	t.Logf("largest errors: softplus %.3g, sigmoid %.3g; relative %.3g and %.3g", worst, worstSigmoid, relative,
		relativeSigmoid)
	if worst > 2e-7 || worstSigmoid > 1e-7 || relative > 2.5e-7 || relativeSigmoid > 2.5e-7 {
		t.Errorf("errors: softplus %.3g, sigmoid %.3g; relative %.3g and %.3g", worst, worstSigmoid, relative,
			relativeSigmoid)
	}
}

func BenchmarkActivations(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 2))
	x, y, z := draw(r, 4480), make([]float32, 4480), make([]float32, 4480)
	for name, f := range map[string]func(){
		"exp":                  func() { Exps(y, x) },
		"tanh":                 func() { Tanhs(y, x) },
		"softplus and sigmoid": func() { SoftplusSigmoids(y, z, x) },
	} {
		b.Run(name, func(b *testing.B) {
			eachKernelBench(b, func(b *testing.B) { perValue(b, len(x), f) })
		})
	}
}
