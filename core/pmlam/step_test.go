package pmlam

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/margin"
)

const alpha = 0.05 // larger than in training, to make the effect of the proxy visible

func compare(t *testing.T, what string, got []float32, want []float64, tolerance float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s has %d values, want %d", what, len(got), len(want))
	}
	for i := range got {
		if math.Abs(float64(got[i])-want[i]) > tolerance*(1+math.Abs(want[i])) {
			t.Errorf("%s[%d] = %v, want %v", what, i, got[i], want[i])
		}
	}
}

func flatten(rows [][]float64) (out []float64) {
	for _, r := range rows {
		out = append(out, r...)
	}
	return out
}

type variant struct {
	in                      margin.Input
	adaptive, noise, points bool
}

func variants(t *testing.T, f func(t *testing.T, v variant, seed uint64)) {
	for _, v := range []variant{
		{margin.Difference, false, false, false},
		{margin.Difference, true, true, false},
		{margin.Cat, true, true, false},
		{margin.Add, true, true, false},
		{margin.Difference, true, false, true},
		{margin.Difference, false, false, true},
	} {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%v/%d", v, seed), func(t *testing.T) { f(t, v, seed) })
		}
	}
}

func TestInnerGradientIsTheFiniteDifference(t *testing.T) {
	variants(t, func(t *testing.T, v variant, seed uint64) {
		o, task, x := both(seed, v.in, v.adaptive, v.noise, v.points)
		s := localStep(x, o.h, margin.Pad(o.h), v.points)
		value := task.inner(2, s, 1, alpha)
		if want := o.inner(o.relations[0], o.theta); math.Abs(value-want) > 1e-5*(1+want) {
			t.Errorf("J_inner = %v, want %v", value, want)
		}
		compare(t, "∇_Θ J_inner", s.gradient(o.h), flatten(o.innerGradient(o.relations[0])), 2e-5)
	})
}

func TestOuterGradientIsTheFiniteDifferenceThroughTheUnrolledStep(t *testing.T) {
	variants(t, func(t *testing.T, v variant, seed uint64) {
		if !v.adaptive {
			return // Φ is fixed
		}
		o, task, x := both(seed, v.in, v.adaptive, v.noise, v.points)
		s := localStep(x, o.h, margin.Pad(o.h), v.points)
		task.inner(2, s, 1, alpha)
		got := zeroLike(task.net)
		value := task.outer(2, s, got)
		if want := o.outer(o.relations[0]); math.Abs(value-want) > 1e-4*(1+want) {
			t.Errorf("J_outer = %v, want %v", value, want)
		}
		want := o.outerGradient(o.relations[0])
		size := 0.0
		got.Parameters(func(name string, g []float32) {
			compare(t, "∇_Φ by "+name, g, want[:len(g)], 2e-3)
			want = want[len(g):]
			for _, value := range g {
				size = math.Max(size, math.Abs(float64(value)))
			}
		})
		if size < 1e-4 {
			t.Errorf("the margin network's gradient vanishes (largest value %v), so it would never learn", size)
		}
	})
}

// A trap: the outer loss reaches Φ only through ∂m/∂Θ. If m is held constant there, the gradient is zero, and nothing
// else looks wrong.
func TestWithoutTheMarginsDerivativeTheNetworkWouldNeverLearn(t *testing.T) {
	o, _, _ := both(1, margin.Difference, true, true, false)
	b := o.relations[0]
	constant := func() float64 {
		m := o.margins(b, o.theta) // does not change while Θ is differentiated
		g := gradient(o.theta, func(theta [][]float64) float64 { return o.hinge(b, theta, m, 0) })
		return o.hinge(b, o.proxy(g), constant(b, outerMargin), 0)
	}
	for _, g := range centralDifferences(b.phi.parameters(), 1e-3, constant) {
		if math.Abs(g) > 1e-6 {
			t.Fatalf("without ∂m/∂Θ the gradient by Φ is %v, want zero", g)
		}
	}
	var largest float64
	for _, g := range o.outerGradient(b) {
		largest = math.Max(largest, math.Abs(g))
	}
	if largest < 1e-3 {
		t.Fatalf("with ∂m/∂Θ the largest value of the gradient by Φ is only %v", largest)
	}
}

func TestSoftmaxGradientIsTheFiniteDifference(t *testing.T) {
	for seed := range uint64(5) {
		o, task, x := both(seed, margin.Difference, false, false, false)
		const tau = 0.7
		task.loss = gaussian.Loss{Kind: gaussian.Softmax, Temperature: tau}
		value := func(theta [][]float64) float64 { return o.softmax(o.relations[0], theta, tau) }
		s := localStep(x, o.h, o.h, false)
		got := task.inner(2, s, 1, 0)
		if want := value(o.theta); math.Abs(got-want) > 1e-5*want {
			t.Errorf("loss = %v, want %v", got, want)
		}
		compare(t, "∇_Θ", s.gradient(o.h), flatten(gradient(o.theta, value)), 2e-5)
	}
}

// within applies Π to a composed row by definition, in place: it scales the mean into the ball and floors each s.
func within(row []float64, radius float64) []float64 {
	h := len(row) / 2
	var norm float64
	for _, v := range row[:h] {
		norm += v * v
	}
	if norm = math.Sqrt(norm); norm > radius {
		for d := range h {
			row[d] *= radius / norm
		}
	}
	for d := h; d < 2*h; d++ {
		row[d] = math.Max(row[d], gaussian.MinStddev)
	}
	return row
}

func TestComposedGradientIsTheFiniteDifference(t *testing.T) {
	const n, h, users = 9, 4, 3
	for _, free := range []bool{false, true} {
		for _, weight := range []float64{1, 6} { // 6 pushes means out of the ball, so that Π affects the gradient
			t.Run(fmt.Sprintf("free=%v,w=%v", free, weight), func(t *testing.T) {
				o, task, x := both(11, margin.Difference, false, false, false)
				const radius = 0.9
				const tau = 0.7
				task.loss = gaussian.Loss{Kind: gaussian.Softmax, Temperature: tau}
				// Rows 0..2 are the users' free parts, 3..8 items; each user likes three items.
				liked := [][]int32{{3, 4, 5}, {4, 6, 7}, {5, 7, 8}}
				g := &groups{weight: float32(weight), start: []int32{0}}
				task.batch = pairs{q: 2, groups: g}
				for u, items := range liked {
					g.users = append(g.users, int32(u))
					g.members = append(g.members, items...)
					g.start = append(g.start, int32(len(g.members)))
					for _, p := range items[:2] {
						g.of = append(g.of, int32(u))
						a := int32(-1)
						if free {
							a = int32(u)
						}
						task.batch.anchor = append(task.batch.anchor, a)
						task.batch.positive = append(task.batch.positive, p)
						task.batch.negative = append(task.batch.negative, 3+(p+1)%6, 3+(p+2)%6)
					}
				}
				compose := func(theta [][]float64, i int) []float64 {
					u, p := g.of[i], task.batch.positive[i]
					row := make([]float64, 2*h)
					for d := range row {
						if free {
							row[d] = theta[u][d]
						}
						for _, j := range liked[u] {
							if j != p {
								row[d] += weight / 2 * theta[j][d]
							}
						}
					}
					return within(row, radius)
				}
				if free { // one standard deviation is floored
					x[0*2*h+h] = -9
					o.theta[0][h] = -9
				}
				value := func(theta [][]float64) (total float64) {
					for i, p := range task.batch.positive {
						a := compose(theta, i)
						sum := 1.0
						for _, q := range task.batch.negative[i*2 : i*2+2] {
							sum += math.Exp((o.w2Squared(a, theta[p]) - o.w2Squared(a, theta[q])) / tau)
						}
						total += math.Log(sum)
					}
					return total
				}
				s := localStep(x, h, h, false)
				got := task.inner(2, s, radius, 0)
				if want := value(o.theta); math.Abs(got-want) > 1e-5*want {
					t.Errorf("loss = %v, want %v", got, want)
				}
				bent := 0
				for _, s := range g.scales {
					if s != 1 {
						bent++
					}
				}
				if weight == 6 && bent == 0 {
					t.Error("no anchor left the ball, so the projection is not tested")
				}
				compare(t, "∇", s.gradient(h), flatten(gradient(o.theta, value)), 3e-5)
			})
		}
	}
}

// A row's terms are summed in their order for any number of workers and parts, so the bits are the same.
func TestTheSumOfTermsDoesNotDependOnWorkers(t *testing.T) {
	const rows, width, sources, n = 40, 8, 100, 5000
	r := rand.New(rand.NewPCG(11, 12))
	random := func(n int) []float32 {
		x := make([]float32, n)
		for i := range x {
			x[i] = float32(r.NormFloat64())
		}
		return x
	}
	x, dense, terms := random(rows*width), random(sources*width), make([]term, n)
	for i := range terms {
		m := term{row: r.Int32N(rows), src: r.Int32N(sources), coef: float32(r.NormFloat64())}
		switch r.IntN(8) {
		case 0:
			m = noTerm
		case 1:
			m.coef = 0
		case 2, 3:
			m.self = float32(r.NormFloat64())
		}
		if m.row%7 == 3 { // rows without terms
			m = noTerm
		}
		terms[i] = m
	}
	want, touched := make([]float32, rows*width), [rows]bool{}
	for row := range rows {
		var coef []float32
		var src []int32
		var self float32
		for _, m := range terms {
			if m.row == int32(row) {
				touched[row] = true
				if m.adds() {
					coef, src, self = append(coef, m.coef), append(src, m.src), self+m.self
				}
			}
		}
		g := want[row*width : (row+1)*width]
		vec.SumRows(g, coef, dense, src)
		vec.Axpy(self, x[row*width:(row+1)*width], g)
	}
	for _, workers := range []int{1, 2, 3, 7, 100} {
		var l termSums
		got, seen := make([]float32, rows*width), [rows]bool{}
		l.each(workers, terms, x, dense, width, func(int) []float32 { return nil }, func(r int, sum []float32) {
			seen[r] = true
			copy(got[r*width:], sum)
		})
		if !slices.Equal(got, want) || seen != touched {
			t.Errorf("%d workers give another sum", workers)
		}
	}
}

func TestTheSumOfTermsIsTheNaiveSum(t *testing.T) {
	const rows, width = 5, 8
	x, dense := make([]float32, rows*width), make([]float32, 4*width)
	for i := range x {
		x[i] = float32(i%7) - 3
	}
	for i := range dense {
		dense[i] = float32(i%5) - 2
	}
	terms := []term{{0, 1, 2, 0}, noTerm, {3, 0, -1, 0.5}, {0, 3, 1, 1}, {4, 2, 0, 2}, {0, 1, 1, 0}, {1, 0, 0, 0}}
	want := make([]float64, rows*width)
	for _, m := range terms {
		if m.row < 0 {
			continue
		}
		for d := range width {
			want[int(m.row)*width+d] += float64(m.coef*dense[int(m.src)*width+d] + m.self*x[int(m.row)*width+d])
		}
	}
	var l termSums
	for range 2 { // the second time with reused memory
		got, touched := make([]float32, rows*width), [rows]bool{}
		into := func(r int) []float32 { // even rows in place, others in lent memory
			if r%2 == 0 {
				return got[r*width : (r+1)*width]
			}
			return nil
		}
		l.each(3, terms, x, dense, width, into, func(r int, sum []float32) {
			touched[r] = true
			copy(got[r*width:], sum)
		})
		compare(t, "sum", got, want, 1e-6)
		if touched != [rows]bool{true, true, false, true, true} {
			t.Errorf("touched rows are %v, want all but row 2 (row 1 has a zero term)", touched)
		}
	}
}
