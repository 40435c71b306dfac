package recommend

import (
	"math"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// sizeStrength is ν, the number of likes that the prior size of the covariance within people counts as. Our choice:
// with 1 to 8, regions of held-out people of MovieLens small have the same coverage; with 0, regions of people with a
// narrow taste are too large.
const sizeStrength = 3

// posterior is the covariance of our knowledge of a visitor's mean, if the model is calibrated (model.Posterior). With
// n ≥ 1 likes of the mean μ̄ and the scatter C = Σ (μ_j − μ̄)(μ_j − μ̄)ᵀ, with m dislikes, and N = n + ω·m, the mean of
// the likes has the covariance
//
//	Σ = (κ·a·W + C) / (κ + n − 1) · p / N        a = (ν + tr C/tr W) / (ν + n − 1)
//	                                             p = 1 + 2ω·Σ_q exp(−‖μ_q − μ̄‖²/tr W) / N
//
// Likes with weights (Evidence.Weights) w_j of the mean 1 have the scatter Σ w_j (μ_j − μ̄)(μ_j − μ̄)ᵀ, and in N the
// effective number n²/Σw_j² replaces n. The first fraction is the covariance of one like around the visitor's own mean.
// W, its shape for people in general, counts as κ likes and is scaled to the size of this visitor's likes (a); with
// more likes their own scatter C prevails. Divided by n it is the sampling variance of their mean. Without the prior (κ
// = 0) that is the variance of refitting on a random half of the likes, drawn without replacement. So similar likes
// shrink the region like 1/n, and likes far apart widen it. A dislike counts as half a like (ω = ½): far from the likes
// it confirms them (p near 1, N larger), and among them it contradicts them.
//
// The visitor's mean is w times the likes' mean, moved into the ball. If that scales it down by c < 1, its norm is the
// radius r and the derivative is J = c·w·(I − θ̂θ̂ᵀ); otherwise J = w·I. With a prior of π likes (compose), the mean is
// known as well as from n + π likes, and J is √(n/(n+π)) times that. The mean of the likes alone moves only n/(n+π)
// times as much as they do. But the visitor's taste need not agree with the prior, and then the first like would seem
// to tell more than the next ones. The sphere curves away from its tangents: a point at distance t across θ̂ is off by
// t²/2r along it. So with T = JΣJᵀ the posterior is
//
//	T + ρ·θ̂θ̂ᵀ        ρ = min((tr T)²/2r², c²w²·θ̂ᵀΣθ̂)        (ρ = 0 where the norm is free)
//
// The first is the mean square of that offset for two means each known by T, halved. The second is the variance along
// θ̂ without the ball, which can only reduce it. So there is almost no variance along θ̂ with many likes, and as much
// as across it with few. Only the values below are stored: a direction v has the variance of Jᵀv under Σ, plus
// ρ·(θ̂·v)². If users are folded in, the descent starts from the likes' mean and stops early, so the same formula with
// w = 1 is used as an approximation, and the calibrated radii absorb its error.
type posterior struct {
	f          *Inferrer
	likes      []int
	weights    []float64 // of the likes, with the mean 1
	center     []float32 // h: μ̄
	unit       []float32 // h: θ̂ if the norm is fixed; nil otherwise
	scale      float64   // c·w·√(n/(n+π))
	size       float64   // tr C/tr W
	doubt      float64   // p/N
	wu         []float64 // h: Wθ̂, nil if unit is
	uwu        float64   // θ̂ᵀWθ̂
	prior, own float64   // Σ = prior·W + own·C
	bend       float64   // ρ
}

// posterior returns the posterior of a taste with at least one like, and the standard deviation of each dimension; row
// is its Gaussian, and scale is the result of compose. O(h² + n·h).
func (f *Inferrer) posterior(e Evidence, row []float32, scale float32) (*posterior, []float32) {
	p := f.shape(e, row, scale)
	return p, p.judge(f.s.Posterior.Strength)
}

// shape returns the part of a posterior that does not depend on κ. O(h² + n·h).
func (f *Inferrer) shape(e Evidence, row []float32, scale float32) *posterior {
	h := f.s.Items.Dim()
	center := make([]float32, 2*h)
	f.center(center, e.Likes, &e)
	p := &posterior{f: f, likes: e.Likes, center: center[:h], scale: float64(scale)}
	if w := f.s.Composition.Weight; w > 0 {
		p.scale *= float64(w) * math.Sqrt(f.likesWeight(e.total()))
	}
	norm := math.Sqrt(float64(vec.Dot(row[:h], row[:h])))
	if norm >= float64(f.s.Radius)*(1-1e-5) {
		p.unit = make([]float32, h)
		vec.Axpy(float32(1/norm), row[:h], p.unit)
		p.alongUnit()
	}
	total := 0.0
	for d := range h {
		total += float64(f.s.Posterior.Within[d*(d+3)/2])
	}
	scatter, squares, each := 0.0, 0.0, float64(len(e.Likes))/e.total()
	p.weights = make([]float64, len(e.Likes))
	for k, j := range e.Likes {
		w := each * e.weight(j)
		p.weights[k] = w
		squares += float64(w * w)
		scatter += float64(w * float64(vec.SquaredDistance(f.s.Items.Mean(j), p.center)))
	}
	n := float64(len(e.Likes))
	weight, midst := n*n/squares+float64(dislikeWeight*float64(len(e.Dislikes))), 0.0
	for _, q := range e.Dislikes {
		midst += float64(vec.Exp(-float32(float64(vec.SquaredDistance(f.s.Items.Mean(q), p.center)) / total)))
	}
	p.size = scatter / total
	p.doubt = (1 + 2*dislikeWeight*midst/weight) / weight
	return p
}

// alongUnit computes Wθ̂ and θ̂ᵀWθ̂. O(h²).
func (p *posterior) alongUnit() {
	within := p.f.s.Posterior.Within
	p.wu = make([]float64, len(p.unit))
	at := 0
	for d, x := range p.unit {
		// Row d of the lower triangle is also column d, except for the last value.
		u, sum := float64(x), 0.0
		for e, x := range within[at : at+d] {
			w := float64(x)
			sum += float64(w * float64(p.unit[e]))
			p.wu[e] += float64(w * u)
		}
		p.wu[d] = sum + float64(float64(within[at+d])*u)
		at += d + 1
	}
	for d, u := range p.unit {
		p.uwu += float64(float64(u) * p.wu[d])
	}
}

// judge sets the values that depend on κ (prior, own and ρ), and returns the standard deviation of each dimension.
// O(n·h).
func (p *posterior) judge(strength float32) []float32 {
	n, kappa := float64(len(p.likes)), float64(strength)
	p.own = p.doubt / (kappa + n - 1)
	p.prior = float64(kappa*p.own) * (sizeStrength + p.size) / (sizeStrength + n - 1)
	return p.spread()
}

// back writes Jᵀa into dst (h).
func (p *posterior) back(dst []float64, a []float32) {
	along := 0.0
	if p.unit != nil {
		for d, u := range p.unit {
			along += float64(float64(u) * float64(a[d]))
		}
	}
	for d, v := range a {
		dst[d] = float64(v)
		if p.unit != nil {
			dst[d] -= float64(along * float64(p.unit[d]))
		}
		dst[d] *= p.scale
	}
}

// forms holds the terms of the covariance of the directions a and b, for any κ, with x = Jᵀa and y = Jᵀb.
type forms struct {
	aa, ab, bb float64      // xᵀWx, xᵀWy, yᵀWy
	likes      [][2]float64 // n: (μ_j − μ̄)ᵀx and (μ_j − μ̄)ᵀy
	a, b       float64      // θ̂ᵀa, θ̂ᵀb; 0 if θ̂ is nil
}

// formsOf returns the forms of the directions a and b. O(h² + n·h).
func (p *posterior) formsOf(a, b []float32) (f forms) {
	h := len(a)
	x, y := make([]float64, h), make([]float64, h)
	p.back(x, a)
	p.back(y, b)
	at := 0
	for d := range h {
		// Row d of W's lower triangle; each off-diagonal value counts twice.
		var wx, wy float64
		for e := range d {
			w := float64(p.f.s.Posterior.Within[at+e])
			wx += float64(w * x[e])
			wy += float64(w * y[e])
		}
		w := float64(p.f.s.Posterior.Within[at+d])
		f.aa += float64(x[d] * (float64(w*x[d]) + 2*wx))
		f.bb += float64(y[d] * (float64(w*y[d]) + 2*wy))
		f.ab += float64(x[d]*(float64(w*y[d])+wy)) + float64(y[d]*wx)
		at += d + 1
	}
	f.likes = make([][2]float64, len(p.likes))
	for k, j := range p.likes {
		var u, v float64
		for d, m := range p.f.s.Items.Mean(j) {
			dev := float64(m) - float64(p.center[d])
			u += float64(dev * x[d])
			v += float64(dev * y[d])
		}
		f.likes[k] = [2]float64{u, v}
	}
	for d, x := range p.unit {
		f.a += float64(float64(x) * float64(a[d]))
		f.b += float64(float64(x) * float64(b[d]))
	}
	return f
}

// covariance returns the covariance of the directions of the forms. O(n).
func (p *posterior) covariance(f *forms) (aa, ab, bb float64) {
	aa, ab, bb = f.aa*p.prior, f.ab*p.prior, f.bb*p.prior
	for k, x := range f.likes {
		u, v, own := x[0], x[1], float64(p.own*p.weights[k])
		aa += float64(own * float64(u*u))
		ab += float64(own * float64(u*v))
		bb += float64(own * float64(v*v))
	}
	aa += float64(p.bend * float64(f.a*f.a))
	ab += float64(p.bend * float64(f.a*f.b))
	bb += float64(p.bend * float64(f.b*f.b))
	return aa, ab, bb
}

// spread sets ρ and returns the standard deviation of each dimension. O(n·h).
func (p *posterior) spread() []float32 {
	h := len(p.center)
	within := p.f.s.Posterior.Within
	v := make([]float64, h)
	for d := range h {
		w := float64(within[d*(d+3)/2])
		if p.unit != nil {
			u := float64(p.unit[d])
			w += float64(u * (float64(u*p.uwu) - 2*p.wu[d]))
		}
		v[d] = float64(p.prior * w)
	}
	radial := float64(p.prior * p.uwu) // θ̂ᵀΣθ̂
	for k, j := range p.likes {
		mean, along, own := p.f.s.Items.Mean(j), 0.0, float64(p.own*p.weights[k])
		if p.unit != nil {
			for d, m := range mean {
				along += float64((float64(m) - float64(p.center[d])) * float64(p.unit[d]))
			}
			radial += float64(own * float64(along*along))
		}
		for d, m := range mean {
			dev := float64(m) - float64(p.center[d])
			if p.unit != nil {
				dev -= float64(along * float64(p.unit[d]))
			}
			v[d] += float64(own * float64(dev*dev))
		}
	}
	trace := 0.0
	for d := range v {
		v[d] = max(v[d], 0) * float64(p.scale*p.scale)
		trace += v[d]
	}
	if r := float64(p.f.s.Radius); p.unit != nil {
		// It is negative only if W is not a covariance.
		p.bend = max(min(trace*trace/(2*r*r), radial*float64(p.scale*p.scale)), 0)
	}
	for d, u := range p.unit {
		v[d] += float64(p.bend * float64(float64(u)*float64(u)))
	}
	out := make([]float32, h)
	for d := range v {
		out[d] = float32(max(math.Sqrt(v[d]), minSpread))
	}
	return out
}

// Covariance returns the covariance [aa ab; ab bb] of our knowledge of the taste's mean along the directions a and b (h
// each), such as the axes of the map's plane; t must come from this Inferrer. likes is the number of likes behind the
// posterior, O(h² + n·h). likes is 0 without a posterior: in a calibrated model before the first like, where the
// covariance has the shape of the catalogue and the size of the spread, O(I·h); and in an uncalibrated model, where it
// follows from the spread, with independent dimensions.
func (f *Inferrer) Covariance(t *Taste, a, b []float32) (aa, ab, bb float64, likes int) {
	switch {
	case t.known != nil:
		forms := t.known.formsOf(a, b)
		aa, ab, bb = t.known.covariance(&forms)
		return aa, ab, bb, len(t.known.likes)
	case f.s.Posterior != nil:
		aa, ab, bb = f.catalogue(a, b)
		size := 0.0
		for _, s := range t.Spread {
			size += float64(s) * float64(s)
		}
		size /= max(f.total, minSpread)
		return aa * size, ab * size, bb * size, 0
	}
	for d, s := range t.Spread {
		v := float64(s) * float64(s)
		x, y := float64(a[d]), float64(b[d])
		aa += float64(v * float64(x*x))
		ab += float64(v * float64(x*y))
		bb += float64(v * float64(y*y))
	}
	return aa, ab, bb, 0
}

// Covariances returns Covariance for each of some strengths, instead of the posterior's own: [aa ab bb]. f must have a
// posterior, and the taste at least one like. O(h² + strengths·n·h).
func (f *Inferrer) Covariances(t *Taste, a, b, strengths []float32) [][3]float64 {
	p := f.shape(t.of, t.Row, t.scale)
	forms, out := p.formsOf(a, b), make([][3]float64, len(strengths))
	for k, s := range strengths {
		p.judge(s)
		out[k][0], out[k][1], out[k][2] = p.covariance(&forms)
	}
	return out
}

// catalogue returns the covariance of all likes in training along a and b, which is the covariance of the items' means
// weighted by their counts.
func (f *Inferrer) catalogue(a, b []float32) (aa, ab, bb float64) {
	total := 0.0
	for i := range f.s.Items.Len() {
		w := f.weight(i)
		total += w
		var x, y float64
		for d, m := range f.s.Items.Mean(i) {
			dev := float64(m) - float64(f.mean[d])
			x += float64(dev * float64(a[d]))
			y += float64(dev * float64(b[d]))
		}
		aa += float64(w * float64(x*x))
		ab += float64(w * float64(x*y))
		bb += float64(w * float64(y*y))
	}
	return aa / total, ab / total, bb / total
}
