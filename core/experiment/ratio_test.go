package experiment

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/pmlam/pmlam/core/eval"
)

func near(a, b, relative float64) bool {
	return math.Abs(a-b) <= relative*math.Max(math.Abs(a), math.Abs(b))
}

// Where everybody came as often, the difference is Welch's of the visitors' own rates.
func TestDifferenceIsWelchs(t *testing.T) {
	// By scipy.stats.ttest_ind of the rates, equal_var=False.
	const p, low, high = 0.048085709121633395, 0.0033946951393948877, 0.6466053048606051
	var a, b []Count
	for _, x := range []float64{2, 0, 1, 3, 2, 1} {
		a = append(a, Count{x, 4})
	}
	for _, x := range []float64{4, 2, 3, 2, 3} {
		b = append(b, Count{x, 4})
	}
	a = append(a, Count{}) // was shown nothing
	d := NewDifference(NewRate(a), NewRate(b), 1, 0.05)
	if !near(d.P, p, 1e-9) || !near(d.Low, low, 1e-9) || !near(d.High, high, 1e-9) {
		t.Errorf("%+v, want P %g and %g to %g", d, p, low, high)
	}
	se := 0.325 / 2.2862204888661415
	if want := 2.801585 * se / 0.375; !near(d.Detectable, want, 1e-6) {
		t.Errorf("detectable %g, want %g", d.Detectable, want)
	}
	squared := 0.0
	for _, x := range []float64{2, 0, 1, 3, 2, 1} {
		squared += (x/4 - 0.375) * (x/4 - 0.375) / 5
	}
	if want := roundUp(2.801585 * 2.801585 * squared * (1 + 1.05*1.05) / (0.05 * 0.375 * 0.05 * 0.375)); d.Needed != want {
		t.Errorf("needed %d, want %d", d.Needed, want)
	}
}

// The interval is the bootstrap's over visitors, where they came unequally often.
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
	rate := func(of []Count, at []int) float64 {
		var c Count
		for _, i := range at {
			if i < len(of) {
				c.Hits, c.Of = c.Hits+of[i].Hits, c.Of+of[i].Of
			}
		}
		return c.Hits / c.Of
	}
	ba := eval.Bootstrap(len(a), 1, func(at []int) float64 { return rate(a, at) })
	bb := eval.Bootstrap(len(b), 2, func(at []int) float64 { return rate(b, at) })
	half := math.Hypot(ba.High-ba.Low, bb.High-bb.Low) / 2
	if !near((d.High-d.Low)/2, half, 0.06) || !near(d.Value, bb.Value-ba.Value, 1e-12) {
		t.Errorf("%+v, and half of the bootstrap's interval is %g", d, half)
	}
	if !near(d.Lift.Value, bb.Value/ba.Value-1, 1e-12) || d.Lift.Low >= d.Lift.Value || d.P > 0.01 {
		t.Errorf("%+v", d)
	}
	// Of three comparisons each is a third as easily taken for a difference.
	three := NewDifference(NewRate(a), NewRate(b), 3, 0.05)
	if !near(three.P, 3*d.P, 1e-9) || three.High-three.Low < d.High-d.Low {
		t.Errorf("of three %+v, of one %+v", three, d)
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
	for _, end := range []float64{p.Low, p.High} { // where the score is Student's quantile
		var above, below float64
		for _, w := range wins {
			e := float64(w[1]) - end*float64(w[0]+w[1])
			above, below = above+e, below+e*e
		}
		if !near(math.Abs(above/math.Sqrt(below)), 2.04523, 1e-5) {
			t.Errorf("at %g the score is %g", end, above/math.Sqrt(below))
		}
	}
	// The same lists of fewer visitors say less.
	var few []Wins
	for i := range 10 {
		few = append(few, Wins{3 * (i % 3 % 2), 3 * (1 - i%3%2)})
	}
	if q := NewPreference(few); q.High-q.Low < 1.5*(p.High-p.Low) || q.P < p.P {
		t.Errorf("%+v of ten, %+v of thirty", q, p)
	}
}

func TestRoundUp(t *testing.T) {
	for n, want := range map[float64]int{0.2: 1, 7: 7, 99.5: 100, 101: 110, 15_010: 16_000, 1e300: 1e15} {
		if got := roundUp(n); got != want {
			t.Errorf("%g: %d, want %d", n, got, want)
		}
	}
}
