package abtest

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pmlam/pmlam/core/eval"
)

func near(a, b, relative float64) bool {
	return math.Abs(a-b) <= relative*math.Max(math.Abs(a), math.Abs(b))
}

// The difference is Student's test on the visitors' own rates, pooled.
func TestDifferenceIsStudents(t *testing.T) {
	// By scipy.stats.ttest_ind of the rates.
	const p, low, high = 0.05221900033533933, -0.003863965658701618, 0.6538639656587015
	var a, b []Count
	for i, x := range []float64{2, 0, 1, 3, 2, 1} {
		times := float64(1 + i) // the number of visits does not count
		a = append(a, Count{x * times, 4 * times})
	}
	for _, x := range []float64{4, 2, 3, 2, 3} {
		b = append(b, Count{x, 4})
	}
	a = append(a, Count{}) // was not shown a list
	d := NewDifference(NewRate(a), NewRate(b), 1, 0.05)
	if !near(d.P, p, 1e-9) || !near(d.Low, low, 1e-9) || !near(d.High, high, 1e-9) {
		t.Errorf("%+v, want P %g and %g to %g", d, p, low, high)
	}
	const square, se = 0.05763888888888889, 0.14537626786810584
	if want := 2.801585 * se / 0.375; !near(d.Detectable, want, 1e-6) {
		t.Errorf("detectable %g, want %g", d.Detectable, want)
	}
	if want := roundUp(2.801585 * 2.801585 * square * (1 + 1.05*1.05) / (0.05 * 0.375 * 0.05 * 0.375)); d.Needed != want {
		t.Errorf("needed %d, want %d", d.Needed, want)
	}
}

// Each visitor has one vote. A visitor with a thousand visits, or a hundred clicks, is reported.
func TestBusiestVisitor(t *testing.T) {
	var counts []Count
	for i := range 10 {
		counts = append(counts, Count{float64(i % 2), 1})
	}
	r := NewRate(append(counts, Count{1500, 1500}))
	if !near(r.Value, 6.0/11, 1e-12) || !near(r.Busiest, 1500.0/1510, 1e-12) || !near(r.Weight, 1.0/6, 1e-12) {
		t.Errorf("%+v", r)
	}
	if r := NewRate(append(counts, Count{95, 1})); !near(r.Weight, 0.95, 1e-12) || !near(r.Busiest, 1.0/11, 1e-12) {
		t.Errorf("%+v", r)
	}
	if r := NewRate([]Count{{0, 1}}); r.Weight != 0 || r.Busiest != 1 {
		t.Errorf("%+v", r)
	}
	wins := []Wins{{0, 900}}
	for range 12 {
		wins = append(wins, Wins{1, 0}, Wins{0, 1})
	}
	if p := NewPreference(wins); p.P < 0.5 || !near(p.Busiest, 900.0/924, 1e-12) || !near(p.Value, 13.0/25, 1e-12) {
		t.Errorf("%+v", p)
	}
}

// The interval agrees with a bootstrap over visitors who came unequally often.
func TestDifferenceIsTheBootstraps(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	draw := func(n int, more float64) (out []Count) {
		for range n {
			of, p := math.Ceil(math.Exp(r.NormFloat64())), min(1, more*r.Float64())
			c := Count{Of: of}
			for range int(of) {
				if r.Float64() < p {
					c.Hits++
				}
			}
			out = append(out, c)
		}
		return out
	}
	a, b := draw(800, 0.5), draw(900, 0.7)
	d := NewDifference(NewRate(a), NewRate(b), 1, 0.05)
	rate := func(of []Count, at []int) (mean float64) {
		for _, i := range at {
			mean += of[i].Hits / of[i].Of / float64(len(at))
		}
		return mean
	}
	ba := eval.Bootstrap(len(a), 1, func(at []int) float64 { return rate(a, at) })
	bb := eval.Bootstrap(len(b), 2, func(at []int) float64 { return rate(b, at) })
	half := math.Hypot(ba.High-ba.Low, bb.High-bb.Low) / 2
	if !near((d.High-d.Low)/2, half, 0.06) || !near(d.Value, bb.Value-ba.Value, 1e-9) {
		t.Errorf("%+v, but half of the bootstrap's interval is %g", d, half)
	}
	if !near(d.Lift.Value, bb.Value/ba.Value-1, 1e-9) || d.Lift.Low >= d.Lift.Value || d.P > 0.01 {
		t.Errorf("%+v", d)
	}
	// Fieller's interval ends where the visitors of the first, times the ratio, would only just differ.
	for _, end := range []float64{d.Lift.Low, d.Lift.High} {
		rho, ra, rb := 1+end, NewRate(a), NewRate(b)
		na, nb := float64(ra.Visitors), float64(rb.Visitors)
		square := ((na-1)*ra.variance + (nb-1)*rb.variance) / (na + nb - 2)
		if z := math.Abs(rb.Value-rho*ra.Value) / math.Sqrt(square*(1/nb+rho*rho/na)); !near(z, 1.961362, 1e-5) {
			t.Errorf("at a lift of %g it is %g deviations", end, z)
		}
	}
	// With three comparisons, each is a third as likely to be found different.
	three := NewDifference(NewRate(a), NewRate(b), 3, 0.05)
	if !near(three.P, 3*d.P, 1e-9) || three.High-three.Low < d.High-d.Low {
		t.Errorf("three comparisons %+v, one %+v", three, d)
	}
}

func TestNothingCanBeSaid(t *testing.T) {
	some := NewRate([]Count{{1, 2}, {0, 1}, {1, 1}})
	for _, few := range [][]Count{nil, {{1, 1}}, {{0, 0}, {1, 3}}} {
		if d := NewDifference(some, NewRate(few), 1, 0.05); d != nil {
			t.Errorf("%v: %+v", few, d)
		}
	}
	if d := NewDifference(NewRate([]Count{{0, 1}, {0, 1}}), NewRate([]Count{{1, 1}, {1, 1}}), 1, 0.05); d != nil {
		t.Errorf("nobody differs: %+v", d)
	}
	if p := NewPreference(nil); p.Value != 0.5 || p.Low != 0 || p.High != 1 || p.P != 1 || p.Sign != 1 {
		t.Errorf("%+v", p)
	}
	if p := NewPreference([]Wins{{0, 9}, {0, 0}}); p.Low != 0 || p.High != 1 || p.P != 1 || p.Visitors != 1 {
		t.Errorf("one visitor: %+v", p)
	}
	if p := NewPreference([]Wins{{0, 9}, {0, 1}, {0, 2}}); p.P < 0.05 || !near(p.Sign, 0.25, 1e-9) || p.Low > 0.5 {
		t.Errorf("three who agree: %+v", p)
	}
	all, even := make([]Wins, 10), make([]Wins, 10)
	for i := range all {
		all[i], even[i] = Wins{0, 1 + i}, Wins{2, 2}
	}
	// By scipy.stats.binomtest(10, 10).proportion_ci().
	if p := NewPreference(all); p.P > 0.05 || p.Value != 1 || p.High != 1 || !near(p.Low, 0.6915028921812392, 1e-9) {
		t.Errorf("ten who agree: %+v", p)
	}
	if p := NewPreference(even); p.P != 1 || p.Value != 0.5 || p.Low > 0.5 || p.High < 0.5 {
		t.Errorf("ten without a preference: %+v", p)
	}
}

func TestPreference(t *testing.T) {
	// 30 visitors with one list each: the score test of a share, (20 − 15)/√(30/4) = 1.8257 standard deviations.
	var wins []Wins
	for i := range 30 {
		wins = append(wins, Wins{i % 3 % 2, 1 - i%3%2})
	}
	p := NewPreference(wins)
	if p.Prefer != [2]int{10, 20} || p.Decided != 30 || !near(p.Value, 2.0/3, 1e-12) {
		t.Errorf("%+v", p)
	}
	if !near(p.Sign, 0.0987371, 1e-5) || !near(p.P, 0.07820332, 1e-6) { // scipy: binomtest(10, 30), t.cdf
		t.Errorf("%+v", p)
	}
	for _, end := range []float64{p.Low, p.High} { // there the score is Student's quantile
		var above, below float64
		for _, w := range wins {
			e := float64(w[1]) - end*float64(w[0]+w[1])
			above, below = above+e, below+e*e
		}
		if !near(math.Abs(above/math.Sqrt(below)), 2.04523, 1e-5) {
			t.Errorf("at %g the score is %g", end, above/math.Sqrt(below))
		}
	}
	// The same lists from fewer visitors are weaker evidence. A visitor's share counts, not their number of lists.
	var few []Wins
	for i := range 10 {
		few = append(few, Wins{(3 + i) * (i % 3 % 2), (3 + i) * (1 - i%3%2)})
	}
	if q := NewPreference(few); q.High-q.Low < 1.5*(p.High-p.Low) || q.P < p.P {
		t.Errorf("ten: %+v, thirty: %+v", q, p)
	}
}

// The reported detectable distance needs as many visitors as there are, for any number.
func TestNeededIsDetectable(t *testing.T) {
	for _, n := range []int{12, 40, 1000} {
		var wins []Wins
		for i := range n {
			wins = append(wins, Wins{i % 3 % 2, 1 + i%2})
		}
		p := NewPreference(wins)
		if needed := p.Needed(p.Detectable); needed < n || needed > n+n/9+1 {
			t.Errorf("%d visitors show %g, which needs %d", n, p.Detectable, needed)
		}
	}
	if n := NewPreference([]Wins{{1, 0}}).Needed(0.1); n != 0 {
		t.Errorf("with one visitor, %d are needed", n)
	}
}

func TestRoundUp(t *testing.T) {
	for n, want := range map[float64]int{0.2: 1, 7: 7, 99.5: 100, 101: 110, 15_010: 16_000, 1e300: 1e15} {
		if got := roundUp(n); got != want {
			t.Errorf("%g: %d, want %d", n, got, want)
		}
	}
}
