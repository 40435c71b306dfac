package recommend

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// integral returns the mutual information of a yes-or-no answer with the chance 1/(1+exp(−1.702 t)) and t ~ N(x, y), by
// the trapezium rule over ±8 deviations: the definition of MostInformative, without its approximations.
func integral(x, y float64) float64 {
	h := func(p float64) float64 {
		if p <= 0 || p >= 1 {
			return 0
		}
		return -(p*math.Log2(p) + (1-p)*math.Log2(1-p))
	}
	const steps = 4000
	mean, left, total := 0.0, 0.0, 0.0
	for k := range steps + 1 {
		z := -8 + 16*float64(k)/steps
		w := math.Exp(-z * z / 2)
		p := 1 / (1 + math.Exp(-probit*(x+z*math.Sqrt(y))))
		mean += w * p
		left += w * h(p)
		total += w
	}
	return h(mean/total) - left/total
}

func TestInformationIsTheIntegral(t *testing.T) {
	worst := 0.0
	for _, x := range []float64{0, 0.1, -0.5, 1, 2, -4, 8} {
		for _, y := range []float64{1e-6, 0.01, 0.1, 0.5, 1, 3, 10, 100, 1e4} {
			got, want := information(x, y), integral(x, y)
			worst = max(worst, math.Abs(got-want))
			if got < 0 || got > 1 {
				t.Errorf("x=%v y=%v: %v bits", x, y, got)
			}
		}
	}
	if worst > 0.03 {
		t.Errorf("the closed form is off by up to %.4f bits", worst)
	}
	t.Logf("off by at most %.4f bits", worst)
}

// The answer's information about the whole mean, in all dimensions, equals its information about d alone; checked by
// draws of the mean.
func TestInformationOfDrawnMeans(t *testing.T) {
	const h, draws, tau = 6, 40000, 0.7
	r := rand.New(rand.NewPCG(5, 6))
	for range 20 {
		items := randomTable(r, 2, h)
		x, query, spread := NewIndex(items, nil), randomTable(r, 1, h).Row(0), make([]float32, h)
		for d := range spread {
			spread[d] = r.Float32()
		}
		bonus := []float32{0.3, -0.2}
		q, ok := x.MostInformative(query, spread, bonus, []int{1, 0}, nil, tau)
		if !ok || q.A != 0 || q.B != 1 {
			t.Fatalf("%v, %v", q, ok)
		}
		mean, left := 0.0, 0.0
		entropy := func(p float64) float64 { return -(p*math.Log2(p) + (1-p)*math.Log2(1-p)) }
		drawn := slices.Clone(query)
		for range draws {
			for d := range h {
				drawn[d] = query[d] + spread[d]*float32(r.NormFloat64())
			}
			diff := (W2Squared(drawn, items.Row(1)) - float64(bonus[1])) - (W2Squared(drawn, items.Row(0)) - float64(bonus[0]))
			p := min(max(1/(1+math.Exp(-diff/tau)), 1e-12), 1-1e-12)
			mean += p / draws
			left += entropy(p) / draws
		}
		if want := entropy(mean) - left; math.Abs(q.Information-want) > 0.03 {
			t.Errorf("%.4f bits, the draws say %.4f", q.Information, want)
		}
	}
}

func TestAskFindsTheBestPair(t *testing.T) {
	const n, h, tau = 40, 8, 0.5
	r := rand.New(rand.NewPCG(7, 8))
	items := randomTable(r, n, h)
	copy(items.Row(3), items.Row(4)) // twins: the choice between them tells nothing
	x, query, spread := NewIndex(items, nil), randomTable(r, 1, h).Row(0), make([]float32, h)
	weights, candidates := make([]float64, n), r.Perm(n)
	for d := range spread {
		spread[d] = 0.2
	}
	for i := range weights {
		weights[i] = r.Float64()
	}
	at := func(a, b int, weights []float64) float64 {
		w := weights
		if w != nil {
			w = []float64{w[a], w[b]}
		}
		q, _ := x.MostInformative(query, spread, nil, []int{candidates[a], candidates[b]}, w, tau)
		if w != nil {
			return q.Information * w[0] * w[1]
		}
		return q.Information
	}
	for _, w := range [][]float64{nil, weights} {
		best, pair := -1.0, [2]int{}
		for a := range n {
			for b := range a {
				if v := at(b, a, w); v > best {
					best, pair = v, [2]int{min(candidates[a], candidates[b]), max(candidates[a], candidates[b])}
				}
			}
		}
		q, ok := x.MostInformative(query, spread, nil, candidates, w, tau)
		if !ok || q.A != pair[0] || q.B != pair[1] {
			t.Errorf("%v with %v, the best of all pairs are %v with %v", q, ok, pair, best)
		}
	}
	if q, ok := x.MostInformative(query, spread, nil, []int{3, 4}, nil, tau); !ok || q.Information > 1e-6 {
		t.Errorf("twins: %v, %v", q, ok)
	}
	for _, few := range [][]int{nil, {1}} {
		if _, ok := x.MostInformative(query, spread, nil, few, nil, tau); ok {
			t.Errorf("%v make no pair", few)
		}
	}
	// A visitor without uncertainty gives no information.
	if q, _ := x.MostInformative(query, make([]float32, h), nil, candidates, nil, tau); q.Information > 0.01 {
		t.Errorf("known exactly: %v", q)
	}
}

func BenchmarkAsk(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	const n, h = 120, 50
	items := randomTable(r, n, h)
	x, spread := NewIndex(items, nil), make([]float32, h)
	for d := range spread {
		spread[d] = 0.1
	}
	candidates := r.Perm(n)
	for b.Loop() {
		x.MostInformative(items.Row(0), spread, nil, candidates, nil, 1)
	}
}
