package vec

import (
	"encoding/binary"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// lengths cover no block, one, many, and every tail.
var lengths = []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 15, 16, 17, 31, 50, 64, 100, 101, 150, 257}

func draw(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

func TestKernelsGiveTheBitsOfTheirTwins(t *testing.T) {
	if !useAVX {
		t.Skip("SKIPPED: no assembly kernels on this machine to compare with")
	}
	r := rand.New(rand.NewPCG(1, 2))
	for _, n := range lengths {
		for range 50 {
			x, y := draw(r, n), draw(r, n)
			if got, want := Dot(x, y), dotGo(x, y); got != want {
				t.Fatalf("Dot of %d: assembly %v, Go %v", n, got, want)
			}
			if got, want := SquaredDistance(x, y), squaredDistanceGo(x, y); got != want {
				t.Fatalf("SquaredDistance of %d: assembly %v, Go %v", n, got, want)
			}
			// Guard words after the end must not be touched.
			a, b := append(append([]float32{}, y...), 7, 7, 7), append([]float32{}, y...)
			Axpy(0.3, x, a[:n])
			axpyGo(0.3, x, b)
			for i := range b {
				if a[i] != b[i] {
					t.Fatalf("Axpy of %d, element %d: assembly %v, Go %v", n, i, a[i], b[i])
				}
			}
			if a[n] != 7 || a[n+1] != 7 || a[n+2] != 7 {
				t.Fatalf("Axpy of %d wrote past the end: %v", n, a[n:])
			}
		}
	}
}

func TestScaleFloorGivesTheBitsOfItsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	for _, n := range lengths {
		for _, c := range []float32{1, 0.3, inf, nan} {
			for _, least := range []float32{0.001, -inf} {
				x := draw(r, n)
				for i := range x {
					switch r.IntN(9) {
					case 0:
						x[i] = []float32{nan, inf, -inf, 0, least}[r.IntN(5)]
					case 1:
						x[i] *= 1e-39
					}
				}
				got, want := append(slices.Clone(x), guarded(0)...), slices.Clone(x)
				ScaleFloor(c, got[:n], least)
				scaleFloorGo(c, want, least)
				equalBits(t, "ScaleFloor", got, want)
			}
		}
	}
}

func TestSumsAgreeWithFloat64(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, n := range lengths {
		x, y := draw(r, n), draw(r, n)
		var dot, dist float64
		for i := range x {
			dot += float64(x[i]) * float64(y[i])
			d := float64(x[i]) - float64(y[i])
			dist += d * d
		}
		bound := 1e-6 * float64(n+1)
		if got := float64(Dot(x, y)); math.Abs(got-dot) > bound {
			t.Errorf("Dot of %d = %v, want %v", n, got, dot)
		}
		if got := float64(SquaredDistance(x, y)); math.Abs(got-dist) > bound*4 {
			t.Errorf("SquaredDistance of %d = %v, want %v", n, got, dist)
		}
	}
}

func TestScansGiveTheBitsOfSingleRows(t *testing.T) {
	eachKernel(t, func(t *testing.T) {
		r := rand.New(rand.NewPCG(13, 14))
		for _, w := range lengths {
			for _, n := range []int{0, 1, 3, 4, 5, 8, 11} {
				query, rows := draw(r, w), draw(r, n*w)
				distances, dots := guarded(n), guarded(n)
				SquaredDistances(distances[:n], query, rows)
				MatVec(dots[:n], rows, query)
				wantDistances, wantDots := make([]float32, n), make([]float32, n)
				for i := range n {
					row := rows[i*w : (i+1)*w]
					wantDistances[i], wantDots[i] = squaredDistanceGo(query, row), dotGo(query, row)
				}
				equalBits(t, "SquaredDistances", distances, wantDistances)
				equalBits(t, "MatVec", dots, wantDots)
			}
		}
	})
}

func TestMatVecIsItsOwnTranspose(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const m, n = 13, 21
	w, x, y := draw(r, m*n), draw(r, n), draw(r, m)
	wx, wty := make([]float32, m), make([]float32, n)
	MatVec(wx, w, x)
	AccumulateRows(wty, y, w, everyRow(m))
	// ⟨y, Wx⟩ = ⟨Wᵀy, x⟩.
	if a, b := Dot(y, wx), Dot(wty, x); math.Abs(float64(a-b)) > 1e-4 {
		t.Errorf("⟨y, Wx⟩ = %v but ⟨Wᵀy, x⟩ = %v", a, b)
	}
}

// ExpDouble and Pow of one argument in every 2^-7 of a logarithm, whose bits the other machines must give, too.
func TestExpDouble(t *testing.T) {
	sum := fnv.New64a()
	for k := -95_000; k <= 90_000; k++ {
		x := float64(k) / 128
		got, want := ExpDouble(x), math.Exp(x)
		if rel := math.Abs(got-want) / want; rel > 4e-16 && want > 1e-300 {
			t.Fatalf("ExpDouble(%v) = %v, want %v: relative error %.3g", x, got, want, rel)
		}
		pow := Pow(float64(k+95_001), 0.3)
		if want := math.Pow(float64(k+95_001), 0.3); math.Abs(pow-want) > 2e-15*want {
			t.Fatalf("Pow(%v, 0.3) = %v, want %v", k+95_001, pow, want)
		}
		sum.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(got)))
		sum.Write(binary.LittleEndian.AppendUint64(nil, math.Float64bits(pow)))
	}
	if got := sum.Sum64(); got != 0x54a8243d31dc00c2 {
		t.Errorf("the bits are %#x", got)
	}
	inf := math.Inf(1)
	for x, want := range map[float64]float64{0: 1, -800: 0, 800: inf, inf: inf, -inf: 0} {
		if got := ExpDouble(x); got != want {
			t.Errorf("ExpDouble(%v) = %v, want %v", x, got, want)
		}
	}
	if nan := ExpDouble(math.NaN()); nan == nan {
		t.Error("ExpDouble(NaN) is not NaN")
	}
}

func TestExpWithinItsBound(t *testing.T) {
	for i := -87000; i <= 88700; i++ {
		x := float32(i) / 1000
		want := math.Exp(float64(x))
		if rel := math.Abs(float64(Exp(x))-want) / want; rel > 2e-7 {
			t.Fatalf("Exp(%v) = %v, want %v: relative error %.3g", x, Exp(x), want, rel)
		}
	}
	if Exp(-200) != 0 || !math.IsInf(float64(Exp(200)), 1) || Exp(0) != 1 {
		t.Errorf("Exp at the ends: %v %v %v", Exp(-200), Exp(200), Exp(0))
	}
	if nan := Exp(float32(math.NaN())); nan == nan {
		t.Error("Exp(NaN) is not NaN")
	}
}

func TestActivationsWithinTheirBounds(t *testing.T) {
	for i := -40000; i <= 40000; i++ {
		x := float32(i) / 1000
		v := float64(x)
		if e := math.Abs(float64(Tanh(x)) - math.Tanh(v)); e > 2e-7 {
			t.Fatalf("Tanh(%v): error %.3g", x, e)
		}
		if e := math.Abs(float64(Sigmoid(x)) - 1/(1+math.Exp(-v))); e > 2e-7 {
			t.Fatalf("Sigmoid(%v): error %.3g", x, e)
		}
		want := math.Max(v, 0) + math.Log1p(math.Exp(-math.Abs(v)))
		if e := math.Abs(float64(Softplus(x)) - want); e > 3e-7*math.Max(1, v) {
			t.Fatalf("Softplus(%v): error %.3g", x, e)
		}
	}
}

func BenchmarkScan(b *testing.B) {
	r := rand.New(rand.NewPCG(7, 8))
	const rows, w = 1000, 100
	x, y, dst := draw(r, w), draw(r, rows*w), make([]float32, rows)
	for name, f := range map[string]func(){
		"SquaredDistances": func() { SquaredDistances(dst, x, y) },
		"MatVec":           func() { MatVec(dst, y, x) },
		"row by row": func() {
			for i := range dst {
				dst[i] = SquaredDistance(x, y[i*w:(i+1)*w])
			}
		},
	} {
		b.Run(name, func(b *testing.B) {
			eachKernelBench(b, func(b *testing.B) { perValue(b, rows*w, f) })
		})
	}
}
