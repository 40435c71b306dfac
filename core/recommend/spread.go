package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/yield"
)

const (
	priorStrength = 1.0 // κ: the number of observations that the prior counts as
	dislikeWeight = 0.5 // ω: the number of observations that a dislike counts as
)

// makePrior computes mean, prior, variance and total. O(I·h); O(h) if CatalogueStats has them.
//
// The catalogue's mean row weights each item by its count, so it is the mean of all likes in training. v₀_d, the prior
// variance of a liked item in dimension d, is the variance of the means under the same weights. The items' s² are not
// used: W2 trains s as h more coordinates, well-known items tend to have larger ones, and they do not measure
// uncertainty.
func (f *Inferrer) makePrior() {
	items := f.s.Items
	h := items.Dim()
	for _, c := range f.s.Counts {
		f.counted = f.counted || c > 0
	}
	if w := f.s.Stats; w != nil {
		f.mean, f.variance = w.Mean, w.Variance
		for _, v := range f.variance {
			f.total += v
		}
		f.prior = f.s.Composition.Silent(f.mean, f.s.Radius)
		return
	}
	square, total := make([]float64, h), 0.0
	mean := items.WeightedMean(func(i int) float64 {
		if i&4095 == 4095 {
			yield.Now()
		}
		c := f.weight(i)
		total += c
		for d, v := range items.Mean(i) {
			square[d] += float64(c * float64(float64(v)*float64(v)))
		}
		return c
	})
	f.mean = make([]float32, 2*h)
	f.variance = make([]float64, h)
	for d, m := range mean {
		f.mean[d] = float32(m)
	}
	for d, m := range mean[:h] {
		f.variance[d] = max(square[d]/total-float64(m*m), 0)
		f.total += f.variance[d]
	}
	f.prior = f.s.Composition.Silent(f.mean, f.s.Radius)
}

// weight returns item i's weight in the catalogue's mean and variance.
func (f *Inferrer) weight(i int) float64 {
	if !f.counted {
		return 1
	}
	return float64(max(f.s.Counts[i], 0))
}

// spread returns the standard deviation of our knowledge of μ, per dimension. It is the posterior of a normal model
// with an unknown mean. Its prior counts as κ observations with the catalogue's variance v₀, and its observations are
// the means of the liked items:
//
//	v_d = c²·(κ·v₀_d + Σ_likes (μ_jd − μ̄_d)² + Σ_dislikes 2ω·p_q·v₀_d) / (κ + n + ω·m)²
//
//	p_q = exp(−‖μ_q − μ̄‖² / Σ_d v₀_d)
//
// κ + n + ω·m is the number of observations, and the rest of the fraction is their scatter. Similar likes shrink the
// ellipse like 1/n; likes far apart do so more slowly, because they contradict each other. A dislike is half an
// observation: far from the likes (p → 0) it confirms them, and among them (p → 1) it widens the ellipse. μ̄ is the
// likes' mean, or the catalogue's without likes. c is the weight w if users are composed, which scales the likes' mean
// and its error alike, and 1 otherwise. Last, v is divided by 1 + Σv/radius²: a distribution inside the ball cannot
// have a trace above radius², and small variances are left almost unchanged.
//
// Models without calibration use this: it grows and shrinks as it should, but its size is not calibrated (posterior.go
// is). O(n·h).
func (f *Inferrer) spread(e Evidence) []float32 {
	items := f.s.Items
	h := items.Dim()
	v := make([]float64, h)
	for d, v0 := range f.variance {
		v[d] = priorStrength * v0
	}
	center := make([]float32, 2*h)
	if len(e.Likes) > 0 {
		f.center(center, e.Likes, &e)
	} else {
		copy(center, f.mean)
	}
	for _, j := range e.Likes {
		for d, m := range items.Mean(j) {
			x := float64(m) - float64(center[d])
			v[d] += float64(e.weight(j) * float64(x*x))
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
	c := 1.0
	if w := f.s.Composition.Weight; w > 0 {
		c = float64(w)
	}
	n := priorStrength + float64(len(e.Likes)) + dislikeWeight*float64(len(e.Dislikes))
	trace := 0.0
	for d := range v {
		v[d] *= c * c / (n * n)
		trace += v[d]
	}
	if r2 := float64(f.s.Radius) * float64(f.s.Radius); !math.IsInf(r2, 1) {
		for d := range v {
			v[d] /= 1 + trace/r2
		}
	}
	out := make([]float32, h)
	for d := range v {
		out[d] = float32(max(math.Sqrt(v[d]), minSpread))
	}
	return out
}

// ItemSpread writes the standard deviation of our knowledge of item i's mean into dst (h). It is the same posterior,
// with the item's likes in training as observations, each with the catalogue's variance,
//
//	v_d = v₀_d / (κ + count_i)
//
// so it is small for popular items. It is the uncertainty that would remain if all other items stayed fixed. They do
// not: between trainings on two halves of the users the whole map moves by far more, and an item's own part in that
// cannot be separated. So it is not calibrated. O(h).
func (f *Inferrer) ItemSpread(dst []float32, i int) {
	n := priorStrength
	if f.s.Counts != nil {
		n += float64(max(f.s.Counts[i], 0))
	}
	for d, v := range f.variance {
		dst[d] = float32(max(math.Sqrt(v/n), minSpread))
	}
}

// minSpread keeps the spread large enough to divide by.
const minSpread = 1e-6
