package eval

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Test is the outcome of a two-sided test of paired differences against "no difference".
type Test struct {
	N         int     `json:"n"`         // differences used
	Statistic float64 `json:"statistic"` // t, or W⁺: the sum of the ranks of the positive differences
	P         float64 `json:"p"`         // in [0, 1]
}

// PairedT is Student's test of the differences d of pairs, one per user: with mean m and standard deviation s (divisor
// n − 1),
//
//	t = m / (s/√n)        P = 2·P(T_{n−1} > |t|)
//
// Source: Student, "The Probable Error of a Mean", Biometrika 1908. For fewer than two differences t = 0 and P = 1. If
// all are equal, t is 0 and P is 1 if they are 0; otherwise t is infinite and P is 0. It panics for a value that is not
// finite. O(n).
func PairedT(d []float64) Test {
	finite(d)
	t := Test{N: len(d), P: 1}
	if t.N < 2 {
		return t
	}
	mean, deviation := stat.MeanStdDev(d, nil)
	if slices.Min(d) == slices.Max(d) { // rounding may leave a deviation
		mean, deviation = d[0], 0
	}
	if mean == 0 {
		return t
	}
	t.Statistic = mean / (deviation / math.Sqrt(float64(t.N)))
	t.P = 2 * distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(t.N - 1)}.CDF(-math.Abs(t.Statistic))
	return t
}

// StandardError returns the mean of the values of users and its standard error, s/√n with the divisor n − 1 in s; an
// error of 0 for fewer than two values. O(n).
func StandardError(values []float32) (mean, err float64) {
	x := make([]float64, len(values))
	for i, v := range values {
		x[i] = float64(v)
	}
	switch len(x) {
	case 0:
		return 0, 0
	case 1:
		return x[0], 0
	}
	mean, deviation := stat.MeanStdDev(x, nil)
	return mean, stat.StdErr(deviation, float64(len(x)))
}

// exactUpTo is the maximum number of differences for the exact distribution.
const exactUpTo = 50

// Wilcoxon is the signed-rank test of the differences d of pairs. Differences of 0 are ignored. The absolute values of
// the other n have ranks from 1, with equal values at their mean rank, and the statistic W⁺ is the sum of the ranks of
// positive differences. Under the null hypothesis, each of the 2ⁿ ways to sign the ranks is equally likely:
//
//	n ≤ 50:  P is the share of them with a W⁺ as far from its mean n(n+1)/4 or farther, counted, ties or not
//	n > 50:  P = 2Φ(−|z|),  z = (W⁺ − n(n+1)/4) / √(n(n+1)(2n+1)/24 − Σ(t³−t)/48) over groups of t equal sizes
//
// without a continuity correction. Source: Wilcoxon, "Individual Comparisons by Ranking Methods", Biometrics Bulletin
// 1945; the variance with ties is in Hollander and Wolfe, "Nonparametric Statistical Methods", section 3.1. With n = 0,
// P is 1. It panics for a value that is not finite. O(n log n), plus 2·10⁵ additions for the exact distribution.
func Wilcoxon(d []float64) Test {
	finite(d)
	var sizes []float64
	var positive []bool
	for _, x := range d {
		if x != 0 {
			sizes, positive = append(sizes, math.Abs(x)), append(positive, x > 0)
		}
	}
	t := Test{N: len(sizes), P: 1}
	if t.N == 0 {
		return t
	}
	rank := Ranks(sizes)
	for i, r := range rank {
		if positive[i] {
			t.Statistic += r
		}
	}
	n := float64(t.N)
	away := math.Abs(t.Statistic - n*(n+1)/4)
	if t.N <= exactUpTo {
		t.P = exact(rank, away)
		return t
	}
	t.P = 2 * distuv.UnitNormal.CDF(-away/math.Sqrt(n*(n+1)*(2*n+1)/24-ties(rank)/48))
	return t
}

// exact returns the share of sign patterns whose W⁺ is at least away from its mean. Mean ranks of ties are halves, so
// everything is counted in halves: ways[s] patterns have 2·W⁺ = s. Up to 2⁵⁰ patterns are exact in a float64.
func exact(rank []float64, away float64) float64 {
	ways, top := make([]float64, len(rank)*(len(rank)+1)+1), 0
	ways[0] = 1
	for _, r := range rank {
		step := int(2 * r)
		top += step
		for s := top; s >= step; s-- {
			ways[s] += ways[s-step]
		}
	}
	far, all := 0.0, 0.0
	for s, w := range ways[:top+1] {
		all += w
		if math.Abs(float64(2*s-top)) >= 4*away { // |s/2 − top/4| ≥ away
			far += w
		}
	}
	return far / all
}

// ties returns Σ (t³ − t) over the groups of t equal ranks.
func ties(rank []float64) (sum float64) {
	sorted := slices.Sorted(slices.Values(rank))
	for i := 0; i < len(sorted); {
		j := i
		for j < len(sorted) && sorted[j] == sorted[i] {
			j++
		}
		t := float64(j - i)
		sum += t*t*t - t
		i = j
	}
	return sum
}

// Stars returns the marks of the paper's Table 2: * for p ≤ 0.05, ** for p ≤ 0.01, *** for p ≤ 0.001.
func Stars(p float64) string {
	switch {
	case p <= 0.001:
		return "***"
	case p <= 0.01:
		return "**"
	case p <= 0.05:
		return "*"
	}
	return ""
}

func finite(d []float64) {
	for i, x := range d {
		if x-x != 0 {
			panic(FiniteError{At: i, Value: x})
		}
	}
}
