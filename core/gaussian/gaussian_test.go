package gaussian

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/internal/vec"
)

func draw(r *rand.Rand, h int) []float32 {
	row := make([]float32, 2*h)
	for i := range row {
		row[i] = float32(r.NormFloat64())
		if i >= h {
			row[i] = float32(math.Abs(r.NormFloat64())) + MinStddev
		}
	}
	return row
}

// bures is W2² of two diagonal Gaussians in the paper's form before simplification (Eq. 2): ‖μ_a−μ_b‖² + tr(Σ_a + Σ_b −
// 2(Σ_a^{1/2} Σ_b Σ_a^{1/2})^{1/2}).
func bures(a, b []float32) (d float64) {
	h := len(a) / 2
	for i := range h {
		m := float64(a[i]) - float64(b[i])
		sa, sb := float64(a[h+i])*float64(a[h+i]), float64(b[h+i])*float64(b[h+i])
		d += m*m + sa + sb - 2*math.Sqrt(math.Sqrt(sa)*sb*math.Sqrt(sa))
	}
	return d
}

func TestW2IsTheClosedFormOfThePaper(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 200 {
		a, b := draw(r, 7), draw(r, 7)
		if got, want := float64(W2Squared(a, b)), bures(a, b); math.Abs(got-want) > 1e-5*(1+want) {
			t.Fatalf("W2² = %v, want %v", got, want)
		}
	}
}

func TestW2IsAMetric(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	d := func(a, b []float32) float64 { return math.Sqrt(float64(W2Squared(a, b))) }
	for range 200 {
		a, b, c := draw(r, 7), draw(r, 7), draw(r, 7)
		if d(a, a) != 0 || d(a, b) != d(b, a) || d(a, c) > d(a, b)+d(b, c)+1e-5 {
			t.Fatal("not a metric")
		}
	}
}

func TestBoundIsIdempotentAndTight(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 200 {
		row := draw(r, 7)
		row[9] = -1 // below the floor
		Bound(row, 0.8)
		var mean, cov float64
		for i := range 7 {
			mean += float64(row[i]) * float64(row[i])
			cov += math.Pow(float64(row[7+i]), 4)
			if row[7+i] < MinStddev {
				t.Fatalf("standard deviation %v", row[7+i])
			}
		}
		if math.Sqrt(mean) > 0.80001 || math.Sqrt(cov) > 1.0001 {
			t.Fatalf("‖μ‖ = %v, ‖Σ‖ = %v", math.Sqrt(mean), math.Sqrt(cov))
		}
		again := append([]float32(nil), row...)
		Bound(again, 0.8)
		for i := range row {
			if math.Abs(float64(again[i]-row[i])) > 1e-6 {
				t.Fatalf("bounding twice moved element %d from %v to %v", i, row[i], again[i])
			}
		}
	}
}

func TestBoundLeavesWhatLiesInside(t *testing.T) {
	row := []float32{0.1, -0.2, 0.3, 0.5}
	Bound(row, 1)
	if row[0] != 0.1 || row[1] != -0.2 || row[2] != 0.3 || row[3] != 0.5 {
		t.Errorf("a row inside the bounds became %v", row)
	}
	far := []float32{30, 40, 0.3, 0.5}
	Bound(far, float32(math.Inf(1)))
	if far[0] != 30 || far[1] != 40 {
		t.Errorf("an infinite radius must leave the mean free, but it became %v", far[:2])
	}
}

// boundPlainly is Bound by plain loops.
func boundPlainly(row []float32, radius float32) {
	h := len(row) / 2
	if n2 := vec.Dot(row[:h], row[:h]); !(n2 <= radius*radius) {
		for d := range h {
			row[d] *= radius / float32(math.Sqrt(float64(n2)))
		}
	}
	var sum float32
	for i := h; i < 2*h; i++ {
		if row[i] < MinStddev {
			row[i] = MinStddev
		}
		q := float32(row[i] * row[i])
		sum += float32(q * q)
	}
	if sum > 1 {
		c := float32(math.Sqrt(math.Sqrt(1 / float64(sum))))
		for i := h; i < 2*h; i++ {
			row[i] = max(row[i]*c, MinStddev)
		}
	}
}

// The vector kernel agrees bit for bit: for rows far inside, near the bound, on it, outside, and invalid ones.
func TestBoundIsThePlainOne(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	inf := float32(math.Inf(1))
	rows := [][]float32{{0, 0, 1, 0}, {0, 0, 1, MinStddev}, {1, 1, inf, 0.1}, {1, 1, -inf, 0.1}, {inf, 1, 0.1, 0.1},
		{0, 0, float32(math.NaN()), 0.1}, {0, 0, 0.1, float32(math.NaN())}, {0, 0, 2, float32(math.NaN())}, {}}
	for _, h := range []int{1, 3, 8, 50, 101} {
		for range 500 {
			row := draw(r, h)
			// Some rows have all of their norm in one value.
			for d := range h {
				if r.IntN(2) == 0 {
					row[h+d] /= 100
				}
			}
			var sum float64
			for _, s := range row[h:] {
				sum += math.Pow(float64(s), 4)
			}
			scale := float32(math.Pow(sum, -0.25) * (0.7 + 0.4*r.Float64()))
			for d := range row[h:] {
				row[h+d] *= scale
			}
			rows = append(rows, row)
		}
	}
	for _, row := range rows {
		got, want := slices.Clone(row), slices.Clone(row)
		Bound(got, 1)
		boundPlainly(want, 1)
		for i := range want {
			if math.Float32bits(got[i]) != math.Float32bits(want[i]) && (want[i] == want[i] || got[i] == got[i]) {
				t.Fatalf("%v becomes %v, want %v", row, got, want)
			}
		}
	}
}

// A row of a training with 100 dimensions, inside the bounds.
func BenchmarkBound(b *testing.B) {
	row := draw(rand.New(rand.NewPCG(1, 1)), 100)
	for i := range row {
		row[i] /= 20
	}
	for b.Loop() {
		Bound(row, 1)
	}
}

func TestTableShapes(t *testing.T) {
	table := NewTable(3, 2)
	copy(table.Row(1), []float32{1, 2, 3, 4})
	if m, s := table.Mean(1), table.Stddev(1); m[0] != 1 || m[1] != 2 || s[0] != 3 || s[1] != 4 {
		t.Errorf("row 1 is %v %v", m, s)
	}
	c := table.Clone()
	c.Row(1)[0] = 9
	if table.Row(1)[0] != 1 {
		t.Error("a clone shares memory")
	}
	if w := TableOf(2, table.Data()); w.Len() != 3 || w.Dim() != 2 {
		t.Errorf("TableOf: %d rows of dimension %d", w.Len(), w.Dim())
	}
	defer func() {
		if _, ok := recover().(ShapeError); !ok {
			t.Error("an impossible shape must panic with ShapeError")
		}
	}()
	TableOf(2, make([]float32, 5))
}

// Silent is the mean of all likes, composed if users are.
func TestSilent(t *testing.T) {
	table := TableOf(1, []float32{1, .5, -.5, .25, 9, 9})
	likes := []float64{1, 3, 0}
	var mean []float32
	for d, m := range table.WeightedMean(func(i int) float64 { return likes[i] }) {
		if want := []float64{(1 - 1.5) / 4, (.5 + .75) / 4}[d]; m != want {
			t.Errorf("dimension %d of the mean is %v, want %v", d, m, want)
		}
		mean = append(mean, float32(m))
	}
	for _, c := range []struct {
		of     Composition
		radius float32
		want   [2]float32
	}{
		{Composition{Free: true}, 1, [2]float32{-.125, .3125}},
		{Composition{Weight: 2}, 1, [2]float32{-.25, .625}},
		{Composition{Free: true, Weight: 2}, .125, [2]float32{-.125, .625}},
	} {
		if got := c.of.Silent(mean, c.radius); got[0] != c.want[0] || got[1] != c.want[1] {
			t.Errorf("%+v in a ball of %v: %v, want %v", c.of, c.radius, got, c.want)
		}
	}
	if m := table.WeightedMean(func(int) float64 { return 0 }); m[0] != 0 || m[1] != 0 {
		t.Errorf("without weights: %v", m)
	}
}
