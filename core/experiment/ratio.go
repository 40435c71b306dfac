package experiment

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/pmlam/pmlam/core/eval"
)

// Count is what was counted of one visitor: Hits of Of, such as sessions with a click of sessions.
type Count struct{ Hits, Of float64 }

// Rate is Σ Hits / Σ Of over visitors.
type Rate struct {
	Visitors int     `json:"visitors"`
	Hits     float64 `json:"hits"`
	Of       float64 `json:"of"`
	Value    float64 `json:"rate"`
	variance float64 // of Value
}

// NewRate returns the rate of visitors, and its variance by the jackknife: with V visitors, N = Σ Of_v, and
// e_v = Hits_v − Value·Of_v,
//
//	variance = (V−1)/V · Σ (e_v / (N − Of_v))²
//
// which for many visitors is that of the delta method (Deng, Knoblich, Lu, KDD 2018, section 3.1), and for few who
// differ much in Of not too small. Source: Efron, Tibshirani, "An Introduction to the Bootstrap", chapter 11. Visitors
// of whom nothing was counted (Of = 0) do not take part. With fewer than two the variance is infinite. O(V).
func NewRate(counts []Count) Rate {
	var r Rate
	for _, c := range counts {
		if c.Of > 0 {
			r.Visitors++
			r.Hits += c.Hits
			r.Of += c.Of
		}
	}
	if r.Of > 0 {
		r.Value = r.Hits / r.Of
	}
	if r.Visitors < 2 {
		r.variance = math.Inf(1)
		return r
	}
	squares := 0.0
	for _, c := range counts {
		if c.Of > 0 {
			e := (c.Hits - r.Value*c.Of) / (r.Of - c.Of)
			squares += e * e
		}
	}
	n := float64(r.Visitors)
	r.variance = (n - 1) / n * squares
	return r
}

// alpha is the share of comparisons without a difference whose interval may miss 0, and power that of those with one
// that a sample size is to find.
const (
	alpha = 0.05
	power = 0.8
)

// Difference is what two rates differ by.
type Difference struct {
	// The second rate less the first, with its interval.
	eval.Estimate
	P float64 `json:"p"` // two-sided
	// The second by the first less 1, with the interval of the logarithm's; null where a rate is 0.
	Lift *eval.Estimate `json:"lift"`
	// The least change of the first rate, relative to it, that these visitors show in four experiments of five; 0 where
	// that rate is 0.
	Detectable float64 `json:"detectable"`
	// Visitors that each variant needs to find the planned lift as often, rounded up to two digits; 0 likewise.
	Needed int `json:"needed"`
}

// NewDifference compares two rates of different visitors. With d = b − a and the variances s² of both,
//
//	d ± t·√(s_a² + s_b²)        t of Student's distribution, by Welch's degrees of freedom
//	detectable = (z_{1−α/2} + z_.8)·√(s_a² + s_b²) / a
//	needed     = (z_{1−α/2} + z_.8)²·V_a·s_a²·(1 + (1+lift)²) / (lift·a)²
//
// where several variants are compared with one, α is .05 divided by their number (Bonferroni). lift is the relative
// change to plan for. It returns nil where the visitors say nothing of how they vary: one of the rates has fewer than
// two, or no visitor differs from another. O(1).
func NewDifference(a, b Rate, comparisons int, lift float64) *Difference {
	d := &Difference{Estimate: eval.Estimate{Value: b.Value - a.Value}}
	level := alpha / float64(comparisons)
	variance := a.variance + b.variance
	if math.IsInf(variance, 1) || variance == 0 {
		return nil
	}
	se := math.Sqrt(variance)
	df := variance * variance / (a.variance*a.variance/float64(a.Visitors-1) + b.variance*b.variance/
		float64(b.Visitors-1))
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: df}
	t := student.Quantile(1 - level/2)
	d.Low, d.High = d.Value-t*se, d.Value+t*se
	d.P = min(1, 2*student.CDF(-math.Abs(d.Value)/se)*float64(comparisons))
	if a.Value > 0 && b.Value > 0 {
		log := math.Log(b.Value / a.Value)
		half := t * math.Sqrt(a.variance/(a.Value*a.Value)+b.variance/(b.Value*b.Value))
		d.Lift = &eval.Estimate{Value: math.Expm1(log), Low: math.Expm1(log - half), High: math.Expm1(log + half)}
	}
	if a.Value > 0 {
		z := distuv.UnitNormal.Quantile(1-level/2) + distuv.UnitNormal.Quantile(power)
		d.Detectable = z * se / a.Value
		d.Needed = roundUp(z * z * float64(a.Visitors) * a.variance * (1 + (1+lift)*(1+lift)) /
			(lift * a.Value * lift * a.Value))
	}
	return d
}

// roundUp returns n rounded up to two digits, at most 10¹⁵.
func roundUp(n float64) int {
	step := math.Pow(10, max(0, math.Floor(math.Log10(max(n, 1)))-1))
	return int(min(math.Ceil(n/step)*step, 1e15))
}

// Preference is how often one of two teams won the lists that the other did not.
type Preference struct {
	// The share of lists that the second team won of those that either did, with its interval. 1/2: no preference.
	eval.Estimate
	P        float64 `json:"p"`        // two-sided; 1 where nothing can be said
	Visitors int     `json:"visitors"` // with a list that was won
	// The exact sign test of the visitors who preferred a team, in more of their lists: its P, and how many they are.
	Sign    float64 `json:"sign_p"`
	Prefer  [2]int  `json:"prefer"`
	Decided int     `json:"decided"` // lists that were won
	// The least distance from 1/2 that these visitors show in four experiments of five; 0 where nothing can be said.
	Detectable float64 `json:"detectable"`
}

// Wins are the lists of one visitor that each team has won.
type Wins [2]int

// NewPreference returns which team is preferred. With y_v lists won by the second and n_v by either,
//
//	S(p) = Σ (y_v − p·n_v) / √Σ (y_v − p·n_v)²
//
// the estimate is the p with S = 0, the interval holds those with |S| ≤ t, and P is that of S(1/2), by Student's
// distribution with V − 1 degrees of freedom. Unlike a variance about the mean this says little of few visitors who
// all agree. O(V).
func NewPreference(wins []Wins) Preference {
	f := Preference{Estimate: eval.Estimate{Value: 0.5, Low: 0, High: 1}, P: 1, Sign: 1}
	var y, n, yy, yn, nn float64
	for _, w := range wins {
		of := float64(w[0] + w[1])
		if of == 0 {
			continue
		}
		f.Visitors++
		f.Decided += w[0] + w[1]
		if w[0] != w[1] {
			f.Prefer[max(0, sign(w[1]-w[0]))]++
		}
		b := float64(w[1])
		y, n, yy, yn, nn = y+b, n+of, yy+b*b, yn+b*of, nn+of*of
	}
	if f.Visitors == 0 {
		return f
	}
	f.Value = y / n
	if f.Visitors < 2 {
		return f
	}
	student := distuv.StudentsT{Mu: 0, Sigma: 1, Nu: float64(f.Visitors - 1)}
	t := student.Quantile(1 - alpha/2)
	f.P = 2 * student.CDF(-math.Abs((y-n/2)/math.Sqrt(yy-yn+nn/4)))
	// S(p)² = t² is a quadratic in p.
	a, b, c := n*n-t*t*nn, y*n-t*t*yn, y*y-t*t*yy
	if root := b*b - a*c; a > 0 && root >= 0 {
		f.Low, f.High = max(0, (b-math.Sqrt(root))/a), min(1, (b+math.Sqrt(root))/a)
	}
	z := distuv.UnitNormal.Quantile(1-alpha/2) + distuv.UnitNormal.Quantile(power)
	f.Detectable = z * math.Sqrt(yy-2*f.Value*yn+f.Value*f.Value*nn) / n
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
