package profile

import (
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

const (
	priorStrength = 1.0 // κ: how many observations the prior is worth
	dislikeWeight = 0.5 // ω: how many observations a dislike is worth
)

// makePrior fills mean, prior, variance and total. O(I·h).
//
// The catalogue's mean row weighs each item by its count, so it is the mean of all likes in training; v₀_d, the prior
// variance of a liked item in dimension d, is the variance of the means under the same weights plus their mean s².
func (f *Inferrer) makePrior() {
	items := f.s.Items
	h := items.Dim()
	weight := func(i int) float64 { return 1 }
	if f.s.Counts != nil {
		any := false
		for _, c := range f.s.Counts {
			any = any || c > 0
		}
		if any {
			weight = func(i int) float64 { return float64(max(f.s.Counts[i], 0)) }
		}
	}
	sum, square, total := make([]float64, 2*h), make([]float64, 2*h), 0.0
	for i := range items.Len() {
		c := weight(i)
		total += c
		for d, v := range items.Row(i) {
			sum[d] += float64(c * float64(v))
			square[d] += float64(c * float64(float64(v)*float64(v)))
		}
	}
	f.mean = make([]float32, 2*h)
	f.variance = make([]float64, h)
	for d := range sum {
		f.mean[d] = float32(sum[d] / total)
	}
	for d := range h {
		m := sum[d] / total
		f.variance[d] = max(square[d]/total-float64(m*m), 0) + square[h+d]/total
		f.total += f.variance[d]
	}
	f.prior = make([]float32, 2*h)
	if w := f.s.Composition.Weight; w > 0 {
		Compose(f.prior, nil, f.mean, w, f.s.Radius)
	} else {
		copy(f.prior, f.mean)
		gaussian.Bound(f.prior, f.s.Radius)
	}
}

// spread returns the standard deviation of our knowledge of μ, per dimension. It is the posterior of a normal model
// with an unknown mean, whose prior is worth κ observations of the catalogue's variance v₀ and whose observations are
// the liked items, with their own variances:
//
//	v_d = c² · (κ·v₀_d + Σ_likes [(μ_jd − μ̄_d)² + s_jd²] + Σ_dislikes 2ω·p_q·v₀_d) / (κ + n + ω·m)²
//
//	p_q = exp(−‖μ_q − μ̄‖² / Σ_d v₀_d)
//
// κ + n + ω·m is the number of observations and the rest of the fraction is their scatter: agreeing likes shrink the
// ellipse like 1/n, likes that lie apart do so more slowly, so they count as contradiction. A dislike is half an
// observation: far from the likes (p → 0) it confirms them, in their midst (p → 1) it widens what we know. μ̄ is the
// likes' mean, the catalogue's where there are none. c is what turned the likes' mean into μ (the composition's weight
// and the bounds' factor). The trace is kept within radius², the most that a distribution inside the ball can have.
//
// This is a starting point with the right monotonicity, not yet a calibrated posterior. O(n·h).
func (f *Inferrer) spread(e Evidence, c float64) []float32 {
	items := f.s.Items
	h := items.Dim()
	v := make([]float64, h)
	for d, v0 := range f.variance {
		v[d] = priorStrength * v0
	}
	center := make([]float32, 2*h)
	if len(e.Likes) > 0 {
		f.center(center, e.Likes)
	} else {
		copy(center, f.mean)
	}
	for _, j := range e.Likes {
		mean, stddev := items.Mean(j), items.Stddev(j)
		for d := range v {
			x, s := float64(mean[d])-float64(center[d]), float64(stddev[d])
			v[d] += float64(x*x) + float64(s*s)
		}
	}
	if f.total > 0 {
		for _, q := range e.Dislikes {
			p := float64(vec.Exp(-float32(float64(vec.SquaredDistance(items.Mean(q), center[:h])) / f.total)))
			for d, v0 := range f.variance {
				v[d] += float64(2 * dislikeWeight * p * v0)
			}
		}
	}
	n := priorStrength + float64(len(e.Likes)) + dislikeWeight*float64(len(e.Dislikes))
	trace := 0.0
	for d := range v {
		v[d] *= c * c / (n * n)
		trace += v[d]
	}
	if r2 := float64(f.s.Radius) * float64(f.s.Radius); trace > r2 {
		for d := range v {
			v[d] *= r2 / trace
		}
	}
	out := make([]float32, h)
	for d := range v {
		out[d] = float32(max(math.Sqrt(v[d]), minSpread))
	}
	return out
}

// minSpread keeps the spread a standard deviation that can be divided by.
const minSpread = 1e-6
