package abtest

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pmlam/pmlam/core/eval"
)

// Count is one visitor's count: Hits out of Of, for example sessions with a click out of all sessions.
type Count struct{ Hits, Of float64 }

// Rate is the mean of the visitors' own rates, Hits / Of: each visitor has one vote, however often they came.
type Rate struct {
	Visitors int     `json:"visitors"`
	Hits     float64 `json:"hits"` // over all visitors
	Of       float64 `json:"of"`
	Value    float64 `json:"rate"`
	// The largest share of one visitor in Of, and in the sum of the visitors' rates; 0 if that is 0.
	Busiest float64 `json:"busiest"`
	Weight  float64 `json:"weight"`

	variance float64 // of a visitor's rate
}

// NewRate returns the rate of visitors: with V visitors and x_v = Hits_v / Of_v,
//
//	value = Σ x_v / V        variance = Σ (x_v − value)² / (V−1)
//
// Visitors with Of = 0 are ignored. O(V).
func NewRate(counts []Count) Rate {
	var r Rate
	sum, most, busiest := 0.0, 0.0, 0.0
	for _, c := range counts {
		if c.Of > 0 {
			r.Visitors++
			r.Hits += c.Hits
			r.Of += c.Of
			sum += c.Hits / c.Of
			most, busiest = max(most, c.Hits/c.Of), max(busiest, c.Of)
		}
	}
	n := float64(r.Visitors)
	if r.Visitors > 0 {
		r.Value, r.Busiest = sum/n, busiest/r.Of
	}
	if sum > 0 {
		r.Weight = most / sum
	}
	if r.Visitors < 2 {
		return r
	}
	squares := 0.0
	for _, c := range counts {
		if c.Of > 0 {
			d := c.Hits/c.Of - r.Value
			squares += d * d
		}
	}
	r.variance = squares / (n - 1)
	return r
}

// alpha is the share of comparisons of equal variants whose interval may miss 0. power is the share of comparisons of
// different variants in which the stated sample size must find the difference.
const (
	alpha = 0.05
	power = 0.8
)

// Difference is the difference between two rates.
type Difference struct {
	// The second rate minus the first, with its interval.
	eval.Estimate
	P float64 `json:"p"` // two-sided
	// The second divided by the first, minus 1, with Fieller's interval, which contains 0 if the difference's does;
	// null if the first might be 0.
	Lift *eval.Estimate `json:"lift"`
	// The least change of the first rate, relative to it, that these visitors show in four experiments out of five; 0
	// if that rate is 0.
	Detectable float64 `json:"detectable"`
	// Visitors that each variant needs to find the planned lift as often, rounded up to two digits; 0 if that rate is
	// 0.
	Needed int `json:"needed"`
}

// NewDifference compares two rates of different visitors. With d = b − a, V visitors of each, and s² the pooled
// variance of a visitor's rate around the rate of their variant,
//
//	d ± t·s·√(1/V_a + 1/V_b)    t of Student's distribution with V_a + V_b − 2 degrees of freedom
//	detectable = (z_{1−α/2} + z_.8)·s·√(1/V_a + 1/V_b) / a
//	needed     = (z_{1−α/2} + z_.8)²·s²·(1 + (1+lift)²) / (lift·a)²
//
// The variance is pooled because five visitors without any click have variance 0. With separate variances (Welch's
// test) they differ from anything, and equal variants are found different 34 to 76 times in 100 instead of 5. If
// several variants are compared with one, α is .05 divided by their number (Bonferroni). lift is the relative change to
// plan for. It returns nil if the variance is unknown: one of the rates has fewer than two visitors, or no visitor
// differs from the others of their variant. O(1).
func NewDifference(a, b Rate, comparisons int, lift float64) *Difference {
	na, nb := float64(a.Visitors), float64(b.Visitors)
	df := na + nb - 2
	square := ((na-1)*a.variance + (nb-1)*b.variance) / df
	if a.Visitors < 2 || b.Visitors < 2 || square == 0 {
		return nil
	}
	d := &Difference{Estimate: eval.Estimate{Value: b.Value - a.Value}}
	level := alpha / float64(comparisons)
	se := math.Sqrt(square * (1/na + 1/nb))
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}
	t := student.Quantile(1 - level/2)
	d.Low, d.High = d.Value-t*se, d.Value+t*se
	d.P = min(1, 2*student.CDF(-math.Abs(d.Value)/se)*float64(comparisons))
	// Those ρ with (b − ρa)² ≤ t²s²(1/V_b + ρ²/V_a): a quadratic in ρ.
	if p, q := a.Value*a.Value-t*t*square/na, b.Value*b.Value-t*t*square/nb; p > 0 {
		root := math.Sqrt(max(0, a.Value*a.Value*b.Value*b.Value-p*q))
		d.Lift = &eval.Estimate{Value: b.Value/a.Value - 1, Low: max(0, (a.Value*b.Value-root)/p) - 1,
			High: (a.Value*b.Value+root)/p - 1}
	}
	if a.Value > 0 {
		z := distuv.UnitNormal.Quantile(1-level/2) + distuv.UnitNormal.Quantile(power)
		d.Detectable = z * se / a.Value
		d.Needed = roundUp(z * z * square * (1 + (1+lift)*(1+lift)) / (lift * a.Value * lift * a.Value))
	}
	return d
}

// roundUp returns n rounded up to two digits, at most 10¹⁵.
func roundUp(n float64) int {
	step := math.Pow(10, max(0, math.Floor(math.Log10(max(n, 1)))-1))
	return int(min(math.Ceil(n/step)*step, 1e15))
}

// Preference says how often one of two teams wins a list.
type Preference struct {
	// The mean over visitors of the second team's share of the lists that either team won, with its interval. 1/2: no
	// preference.
	eval.Estimate
	P        float64 `json:"p"`        // two-sided; 1 without evidence
	Visitors int     `json:"visitors"` // with a list that a team won
	// The exact sign test over the visitors who preferred a team, by most of their lists: its P, and their numbers.
	Sign    float64 `json:"sign_p"`
	Prefer  [2]int  `json:"prefer"`
	Decided int     `json:"decided"` // lists that a team won
	// The largest share of one visitor in Decided.
	Busiest float64 `json:"busiest"`
	// The least distance from 1/2 that these visitors show in four experiments out of five: see Needed. 0 without
	// evidence.
	Detectable float64 `json:"detectable"`

	deviation float64 // of a visitor's share
}

// Needed returns the number of visitors needed to find a share at this distance from 1/2 in four experiments out of
// five, if they vary as these do. Only visitors with a list that a team won count. It is the V of
//
//	distance·√V = t·√(σ² + distance²) + z_.8·σ        t of V − 1 degrees of freedom
//
// since the test's own deviation is around 1/2. 0 without evidence.
func (f Preference) Needed(distance float64) int {
	if f.Detectable == 0 || !(distance > 0) {
		return 0
	}
	need := func(t float64) float64 {
		root := (t*math.Hypot(f.deviation, distance) + distuv.UnitNormal.Quantile(power)*f.deviation) / distance
		return math.Ceil(root * root)
	}
	n := max(2, need(distuv.UnitNormal.Quantile(1-alpha/2)))
	for range 20 { // iterate, because t depends on V
		n = max(2, need(distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Quantile(1-alpha/2)))
	}
	return roundUp(n)
}

// Wins counts the lists of one visitor that each team won.
type Wins [2]int

// NewPreference returns the preferred team. Each visitor has one vote, x_v: the second team's share of the lists that
// either team won. With
//
//	S(p) = Σ (x_v − p) / √Σ (x_v − p)²
//
// the estimate is the p with S = 0, the interval contains the p with |S| ≤ t, and P is the P-value of S(1/2) by
// Student's distribution with V − 1 degrees of freedom. Unlike a variance around the mean, this does not overstate the
// evidence of few visitors who all agree. If all agree, the interval is Clopper and Pearson's. O(V).
func NewPreference(wins []Wins) Preference {
	f := Preference{Estimate: eval.Estimate{Value: 0.5, Low: 0, High: 1}, P: 1, Sign: 1}
	var sum, squares float64
	busiest := 0
	for _, w := range wins {
		of := w[0] + w[1]
		if of == 0 {
			continue
		}
		f.Visitors++
		f.Decided += of
		busiest = max(busiest, of)
		if w[0] != w[1] {
			f.Prefer[max(0, sign(w[1]-w[0]))]++
		}
		x := float64(w[1]) / float64(of)
		sum, squares = sum+x, squares+x*x
	}
	if f.Visitors == 0 {
		return f
	}
	n := float64(f.Visitors)
	f.Value, f.Busiest = sum/n, float64(busiest)/float64(f.Decided)
	if f.Visitors < 2 {
		return f
	}
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}
	t := student.Quantile(1 - alpha/2)
	if about := squares - sum + n/4; about > 0 { // Σ (x_v − 1/2)²; 0 if every visitor's lists are tied
		f.P = 2 * student.CDF(-math.Abs(sum-n/2)/math.Sqrt(about))
	}
	// S(p)² = t² is a quadratic in p.
	a, b, c := n*n-t*t*n, n*sum-t*t*sum, sum*sum-t*t*squares
	switch root := b*b - a*c; {
	case sum == 0:
		f.High = 1 - math.Pow(alpha/2, 1/n)
	case sum == n:
		f.Low = math.Pow(alpha/2, 1/n)
	case a > 0 && root >= 0:
		f.Low, f.High = max(0, (b-math.Sqrt(root))/a), min(1, (b+math.Sqrt(root))/a)
	}
	f.deviation = math.Sqrt(max(0, squares/n-f.Value*f.Value))
	f.Detectable = 0.5
	if s, z := f.deviation, distuv.UnitNormal.Quantile(power); n > t*t { // the positive root of the equation at Needed
		f.Detectable = min(0.5, s*(math.Sqrt(n)*z+math.Sqrt(n*z*z-(n-t*t)*(z*z-t*t)))/(n-t*t))
	}
	if k := min(f.Prefer[0], f.Prefer[1]); f.Prefer[0]+f.Prefer[1] > 0 {
		f.Sign = min(1, 2*distuv.Binomial{N: float64(f.Prefer[0] + f.Prefer[1]), P: 0.5}.CDF(float64(k)))
	}
	return f
}

func sign(n int) int {
	if n < 0 {
		return -1
	}
	return 1
}
