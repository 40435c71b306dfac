package pmlam

import (
	"math"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/margin"
)

// reference is Algorithm 1 of the paper, written for reading: in float64, one triplet after another, and without
// hand-derived derivatives. Every gradient is a central difference of the loss as printed in the paper, so it verifies
// the closed forms in inner.go and adaptive.go independently. Trainer.run does the same step fast; tests compare the
// two. Trainings do not use this version.
//
// A step costs O(N·h · P·T·H·h) for N rows of 2h values, P values of Φ and T triplets, so it suits tens of rows.
type reference struct {
	h      int         // latent dimension
	points bool        // the rows are points: the standard deviations are ignored
	theta  [][]float64 // Θ, N×2h: rows [μ; s]
	adam   []momentum  // N: of each row

	relations []*relation // user-item, user-user, item-item (Eq. 18), or some of them

	alpha     float64 // α, the step to the proxy
	rate      float64 // Adam's learning rate for Θ
	outerRate float64 // Adam's learning rate for Φ
	lambda    float64 // λ of ‖Φ‖²
	number    int     // steps done

	bounds       Config  // its Radius, Bound and Signed
	smooth       float64 // τ of the smooth hinge; 0: the hinge as printed
	unit         bool    // the proxy's step has the length α
	outerMargin  float64 // of the outer hinge; paper: 1
	outerSoftmax float64 // τ of the outer softmax; 0: the outer hinge instead
}

// relation is one of the three losses of Eq. 18, with its batch.
type relation struct {
	pairs []pair
	phi   *phi    // Φ of its margin network; nil: the margin is fixed
	fixed float64 // the fixed margin
	adam  momentum
}

// pair is an anchor with one positive and its sampled negatives, as rows of Θ. eps holds the noise of the anchor, the
// positive and each negative, h values each; nil: no noise.
type pair struct {
	anchor, positive int
	negatives        []int
	eps              [][]float64
	outer            *pair // the pair of the outer loss; nil: this one
}

// phi holds the parameters Φ of a margin network: W1 (H×S), b1 (H), w2 (H) and b2.
type phi struct {
	input  margin.Input
	w1     [][]float64
	b1, w2 []float64
	b2     float64
}

// step is one pass through the loop of Algorithm 1. It returns J_inner and J_outer of every relation, each summed over
// its batch.
func (r *reference) step() (inner, outer []float64) {
	r.number++
	total := make([][]float64, len(r.theta)) // ∇_Θ of Eq. 18, the sum over the relations
	for i := range total {
		total[i] = make([]float64, 2*r.h)
	}
	for _, b := range r.relations {
		// Inner loss and its gradient by the embeddings (Eqs. 6, 16, 17).
		inner = append(inner, r.inner(b, r.theta))
		g := r.innerGradient(b)
		for i := range g {
			addTo(total[i], g[i])
		}
		if b.phi == nil {
			continue
		}
		// One step of the margin network, against the outer loss at the proxy Θ̃(Φ) (Eqs. 9, 10), plus λ‖Φ‖².
		outer = append(outer, r.outer(b))
		grad, values := r.outerGradient(b), b.phi.parameters()
		for i, x := range values {
			grad[i] += 2 * r.lambda * *x
		}
		b.adam.move(values, grad, r.outerRate, r.number)
	}
	// One step of the embeddings by the gradient from before Φ moved, within their bounds.
	for i, row := range r.theta {
		if r.touches(i) {
			r.adam[i].move(pointers(row), total[i], r.rate, r.number)
			bound(row, &r.bounds)
		}
	}
	return inner, outer
}

// inner returns J_inner(Θ, Φ): L_Ada of every triplet, with the margins of the same Θ (Eqs. 6, 8).
func (r *reference) inner(b *relation, theta [][]float64) float64 {
	return r.hinge(b, theta, r.margins(b, theta), r.smooth)
}

// innerGradient returns ∇_Θ J_inner(Θ, Φ), N×2h. With the smooth hinge, margins are constants in it.
func (r *reference) innerGradient(b *relation) [][]float64 {
	if r.smooth > 0 {
		m := r.margins(b, r.theta)
		return gradient(r.theta, func(theta [][]float64) float64 { return r.hinge(b, theta, m, r.smooth) })
	}
	return gradient(r.theta, func(theta [][]float64) float64 { return r.inner(b, theta) })
}

// proxy returns Θ̃ = Θ − α·g (Eq. 10), N×2h, or Θ − α·g/‖g‖.
func (r *reference) proxy(g [][]float64) [][]float64 {
	step := r.alpha
	if r.unit {
		var all []float64
		for _, row := range g {
			all = append(all, row...)
		}
		step /= norm(all)
	}
	out := make([][]float64, len(g))
	for i := range g {
		out[i] = make([]float64, len(g[i]))
		for d := range g[i] {
			out[i][d] = r.theta[i][d] - step*g[i][d]
		}
	}
	return out
}

// outer returns J_outer(Θ̃(Φ)): as printed, L_Fix with the margin 1 at the proxy (Eqs. 8, 9). Φ reaches it only through
// ∇_Θ J_inner.
func (r *reference) outer(b *relation) float64 {
	at := &relation{}
	for _, p := range b.pairs {
		if p.outer != nil {
			p = *p.outer
		}
		at.pairs = append(at.pairs, p)
	}
	theta := r.proxy(r.innerGradient(b))
	if r.outerSoftmax > 0 {
		return r.softmax(at, theta, r.outerSoftmax)
	}
	return r.hinge(at, theta, constant(at, r.outerMargin), 0)
}

// outerGradient returns ∇_Φ J_outer(Θ̃(Φ)) through the whole step, in the order of parameters.
func (r *reference) outerGradient(b *relation) []float64 {
	const e = 1e-3 // coarser than in gradient, because outer contains differences itself
	return centralDifferences(b.phi.parameters(), e, func() float64 { return r.outer(b) })
}

// hinge returns Σ [W2²(a,p) − W2²(a,q) + m]₊ over the triplets of a batch with margins m (Eqs. 6, 7). With τ > 0 it is
// smooth, Σ τ·log(1 + exp((W2²(a,p) − W2²(a,q) + m)/τ)).
func (r *reference) hinge(b *relation, theta [][]float64, m []float64, tau float64) (total float64) {
	for _, p := range b.pairs {
		for _, q := range p.negatives {
			d := r.w2Squared(theta[p.anchor], theta[p.positive]) - r.w2Squared(theta[p.anchor], theta[q])
			if tau > 0 {
				total += tau * math.Log1p(math.Exp((d+m[0])/tau))
			} else {
				total += math.Max(0, d+m[0])
			}
			m = m[1:]
		}
	}
	return total
}

// softmax returns Σ log(1 + Σ_q exp((W2²(a,p) − W2²(a,q))/τ)) over the pairs of a batch.
func (r *reference) softmax(b *relation, theta [][]float64, tau float64) (total float64) {
	for _, p := range b.pairs {
		sum := 1.0
		for _, q := range p.negatives {
			sum += math.Exp((r.w2Squared(theta[p.anchor], theta[p.positive]) -
				r.w2Squared(theta[p.anchor], theta[q])) / tau)
		}
		total += math.Log(sum)
	}
	return total
}

// margins returns m of every triplet: f(x_a, x_p, x_q; Φ) of samples x (Eqs. 12, 14), or the fixed margin.
func (r *reference) margins(b *relation, theta [][]float64) (m []float64) {
	if b.phi == nil {
		return constant(b, b.fixed)
	}
	for _, p := range b.pairs {
		noise := func(k int) []float64 {
			if p.eps == nil {
				return nil
			}
			return p.eps[k]
		}
		a, pos := r.sample(theta[p.anchor], noise(0)), r.sample(theta[p.positive], noise(1))
		for k, q := range p.negatives {
			m = append(m, b.phi.margin(a, pos, r.sample(theta[q], noise(2+k))))
		}
	}
	return m
}

// constant returns the margin m for every triplet.
func constant(b *relation, m float64) (out []float64) {
	for _, p := range b.pairs {
		for range p.negatives {
			out = append(out, m)
		}
	}
	return out
}

// w2Squared returns the squared Wasserstein distance of two diagonal Gaussians, ‖μ_a−μ_b‖² + ‖s_a−s_b‖² (Eq. 3).
func (r *reference) w2Squared(a, b []float64) (d float64) {
	n := 2 * r.h
	if r.points {
		n = r.h
	}
	for i := range n {
		d += (a[i] - b[i]) * (a[i] - b[i])
	}
	return d
}

// sample returns x = μ + s⊙ε, or μ for points and without noise.
func (r *reference) sample(row, eps []float64) []float64 {
	x := append([]float64(nil), row[:r.h]...)
	for i := range eps {
		if !r.points {
			x[i] += row[r.h+i] * eps[i]
		}
	}
	return x
}

// touches reports whether a batch of this step names row i. Other rows keep their values and Adam's state.
func (r *reference) touches(i int) bool {
	for _, b := range r.relations {
		for _, p := range b.pairs {
			for _, row := range append([]int{p.anchor, p.positive}, p.negatives...) {
				if row == i {
					return true
				}
			}
		}
	}
	return false
}

// margin returns m = softplus(w₂·tanh(W₁s + b₁) + b₂) of the samples of one triplet, where s is [y²; z²; z²−y²] with y
// = x_a−x_p and z = x_a−x_q (Eqs. 12, 13), or one of the two other inputs of the ablation study.
func (f *phi) margin(a, p, q []float64) float64 {
	var s []float64
	switch f.input {
	case margin.Difference:
		h := len(a)
		s = make([]float64, 3*h)
		for i := range a {
			y, z := a[i]-p[i], a[i]-q[i]
			s[i], s[h+i], s[2*h+i] = y*y, z*z, z*z-y*y
		}
	case margin.Cat:
		s = append(append(append(s, a...), p...), q...)
	case margin.Add:
		for i := range a {
			s = append(s, a[i]+p[i]+q[i])
		}
	}
	o := f.b2
	for j := range f.w1 {
		u := f.b1[j]
		for i := range s {
			u += f.w1[j][i] * s[i]
		}
		o += f.w2[j] * math.Tanh(u)
	}
	return math.Log1p(math.Exp(o))
}

// parameters returns pointers to the values of Φ, in the order of margin.Network.Parameters: W1, b1, w2, b2.
func (f *phi) parameters() (out []*float64) {
	for _, row := range f.w1 {
		out = append(out, pointers(row)...)
	}
	return append(append(append(out, pointers(f.b1)...), pointers(f.w2)...), &f.b2)
}

// bound brings a row within its bounds, like Config.bound. An unsigned s is raised to the floor. As printed, the mean
// is then scaled into the ball and s until ‖s²‖ ≤ 1, and the floor is applied again.
func bound(row []float64, c *Config) {
	mean, s := row[:len(row)/2], row[len(row)/2:]
	into := func(x []float64, length, most float64) {
		for i := range x {
			x[i] *= math.Min(1, most/length)
		}
	}
	floor := func() {
		for i := range s {
			if !c.Signed {
				s[i] = math.Max(s[i], gaussian.MinStddev)
			}
		}
	}
	floor()
	switch c.Bound {
	case JointBound:
		into(row, norm(row), c.Radius)
	case StddevBound:
		into(mean, norm(mean), c.Radius)
		into(s, norm(s), c.Radius)
	default:
		into(mean, norm(mean), c.Radius)
		squares := make([]float64, len(s))
		for i := range s {
			squares[i] = s[i] * s[i]
		}
		into(s, math.Sqrt(norm(squares)), 1)
	}
	floor()
}

func norm(x []float64) (n float64) {
	for _, v := range x {
		n += v * v
	}
	return math.Sqrt(n)
}

// momentum is Adam's state (Kingma and Ba 2015); the zero value is the initial state.
type momentum struct{ m, v []float64 }

// move takes step n ≥ 1 of Adam: x −= rate·m̂/(√v̂+ε).
func (a *momentum) move(x []*float64, g []float64, rate float64, n int) {
	const beta1, beta2, epsilon = 0.9, 0.999, 1e-8
	if a.m == nil {
		a.m, a.v = make([]float64, len(x)), make([]float64, len(x))
	}
	for i := range x {
		a.m[i] = beta1*a.m[i] + (1-beta1)*g[i]
		a.v[i] = beta2*a.v[i] + (1-beta2)*g[i]*g[i]
		mean, square := a.m[i]/(1-math.Pow(beta1, float64(n))), a.v[i]/(1-math.Pow(beta2, float64(n)))
		*x[i] -= rate * mean / (math.Sqrt(square) + epsilon)
	}
}

// gradient returns ∇_Θ of f at theta by central differences.
func gradient(theta [][]float64, f func([][]float64) float64) [][]float64 {
	at, out := make([][]float64, len(theta)), make([][]float64, len(theta))
	for i := range theta {
		at[i] = append([]float64(nil), theta[i]...)
	}
	for i := range at {
		out[i] = centralDifferences(pointers(at[i]), 1e-5, func() float64 { return f(at) })
	}
	return out
}

// centralDifferences returns (f(x+e) − f(x−e))/2e for every x in values, which f reads.
func centralDifferences(values []*float64, e float64, f func() float64) []float64 {
	out := make([]float64, len(values))
	for i, x := range values {
		was := *x
		*x = was + e
		above := f()
		*x = was - e
		below := f()
		*x = was
		out[i] = (above - below) / (2 * e)
	}
	return out
}

func pointers(x []float64) []*float64 {
	out := make([]*float64, len(x))
	for i := range x {
		out[i] = &x[i]
	}
	return out
}

func addTo(sum, x []float64) {
	for i := range x {
		sum[i] += x[i]
	}
}
