package pmlam

import (
	"math"
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/margin"
)

// The oracle: the losses as the paper writes them, in float64, triplet by triplet, with no derivative in it. Its
// derivatives are central differences, so nothing of DESIGN's algebra is taken on trust.
type oracle struct {
	h     int
	theta [][]float64 // rows [μ; s]
	phi   *phi        // nil: the margin is fixed
	fixed float64
	pairs []oraclePair
	// dropMargin plants the fault: the margin is a constant of the inner step.
	dropMargin bool
	points     bool
}

type oraclePair struct {
	a, p int
	q    []int
	eps  [][]float64 // anchor, positive, negatives; nil: no noise
}

// phi are the network's parameters.
type phi struct {
	in     margin.Input
	w1     [][]float64
	b1, w2 []float64
	b2     float64
}

func (f *phi) margin(xa, xp, xq []float64) float64 {
	var s []float64
	switch f.in {
	case margin.Difference:
		h := len(xa)
		s = make([]float64, 3*h)
		for i := range xa {
			y, z := xa[i]-xp[i], xa[i]-xq[i]
			s[i], s[h+i], s[2*h+i] = y*y, z*z, z*z-y*y
		}
	case margin.Cat:
		s = append(append(append(s, xa...), xp...), xq...)
	case margin.Add:
		for i := range xa {
			s = append(s, xa[i]+xp[i]+xq[i])
		}
	}
	o := f.b2
	for j := range f.w1 {
		a := f.b1[j]
		for i := range s {
			a += f.w1[j][i] * s[i]
		}
		o += f.w2[j] * math.Tanh(a)
	}
	return math.Log1p(math.Exp(o))
}

func (o *oracle) w2(a, b []float64) float64 {
	n := 2 * o.h
	if o.points {
		n = o.h
	}
	var d float64
	for i := range n {
		d += (a[i] - b[i]) * (a[i] - b[i])
	}
	return d
}

func (o *oracle) sample(row, eps []float64) []float64 {
	x := append([]float64(nil), row[:o.h]...)
	for i := range eps {
		if !o.points {
			x[i] += row[o.h+i] * eps[i]
		}
	}
	return x
}

// inner is J_inner(Θ, Φ) (Eq. 6), summed over the batch.
func (o *oracle) inner(theta [][]float64) (total float64) {
	for _, p := range o.pairs {
		for k, q := range p.q {
			m := o.fixed
			if o.phi != nil {
				at := theta
				if o.dropMargin {
					at = o.theta // held constant while Θ is differentiated
				}
				var ea, ep, eq []float64
				if p.eps != nil {
					ea, ep, eq = p.eps[0], p.eps[1], p.eps[2+k]
				}
				m = o.phi.margin(o.sample(at[p.a], ea), o.sample(at[p.p], ep), o.sample(at[q], eq))
			}
			total += math.Max(0, o.w2(theta[p.a], theta[p.p])-o.w2(theta[p.a], theta[q])+m)
		}
	}
	return total
}

// outer is J_outer(Θ̃) with the fixed margin 1 (Eq. 9).
func (o *oracle) outer(theta [][]float64) (total float64) {
	for _, p := range o.pairs {
		for _, q := range p.q {
			total += math.Max(0, o.w2(theta[p.a], theta[p.p])-o.w2(theta[p.a], theta[q])+1)
		}
	}
	return total
}

// gradient is ∇_Θ of f at theta by central differences.
func gradient(theta [][]float64, f func([][]float64) float64) [][]float64 {
	const e = 1e-5
	out := make([][]float64, len(theta))
	work := make([][]float64, len(theta))
	for i := range theta {
		work[i] = append([]float64(nil), theta[i]...)
		out[i] = make([]float64, len(theta[i]))
	}
	for i := range work {
		for d := range work[i] {
			keep := work[i][d]
			work[i][d] = keep + e
			up := f(work)
			work[i][d] = keep - e
			down := f(work)
			work[i][d] = keep
			out[i][d] = (up - down) / (2 * e)
		}
	}
	return out
}

// unrolled is J_outer(Θ − α ∇_Θ J_inner(Θ, Φ)) as a function of Φ: the whole step, unrolled.
func (o *oracle) unrolled(alpha float64) float64 {
	g := gradient(o.theta, o.inner)
	proxy := make([][]float64, len(g))
	for i := range g {
		proxy[i] = make([]float64, len(g[i]))
		for d := range g[i] {
			proxy[i][d] = o.theta[i][d] - alpha*g[i][d]
		}
	}
	return o.outer(proxy)
}

// byPhi is the central difference of the unrolled outer loss by every parameter of Φ, in the order of Parameters.
func (o *oracle) byPhi(alpha float64) [][]float64 {
	const e = 1e-3 // the inner gradient is itself a difference, so a coarser step keeps its noise small
	difference := func(x *float64) float64 {
		keep := *x
		*x = keep + e
		up := o.unrolled(alpha)
		*x = keep - e
		down := o.unrolled(alpha)
		*x = keep
		return (up - down) / (2 * e)
	}
	var w1, b1, w2 []float64
	for j := range o.phi.w1 {
		for i := range o.phi.w1[j] {
			w1 = append(w1, difference(&o.phi.w1[j][i]))
		}
		b1 = append(b1, difference(&o.phi.b1[j]))
		w2 = append(w2, difference(&o.phi.w2[j]))
	}
	return [][]float64{w1, b1, w2, {difference(&o.phi.b2)}}
}

// both builds the same random problem for the oracle and for a task: n rows of dimension h, b pairs with q negatives.
// Rows recur in several roles, so that they receive several contributions.
func both(seed uint64, in margin.Input, adaptive, noise, points bool) (*oracle, *task, []float32) {
	const n, h, hidden, b, q = 9, 4, 5, 6, 3
	r := rand.New(rand.NewPCG(seed, 3))
	o := &oracle{h: h, fixed: 0.7, points: points}
	x := make([]float32, n*2*h)
	for i := range n {
		row := x[i*2*h : (i+1)*2*h]
		for d := range row {
			row[d] = float32(r.NormFloat64() * 0.4)
			if d >= h {
				row[d] = float32(0.1 + 0.3*r.Float64())
			}
		}
		o.theta = append(o.theta, to64(row))
	}
	t := &task{name: "user-item", weight: 1, points: points}
	t.loss.Margin = 0.7
	if adaptive {
		t.net = margin.NewNetwork(in, h, hidden, r)
		s := in.Width(h)
		o.phi = &phi{in: in, b1: to64(t.net.B1), w2: to64(t.net.W2), b2: float64(t.net.B2)}
		for j := range hidden {
			o.phi.w1 = append(o.phi.w1, to64(t.net.W1[j*s:(j+1)*s]))
		}
	}
	t.batch.q = q
	for range b {
		a, p := r.IntN(n), r.IntN(n)
		pair := oraclePair{a: a, p: p}
		t.batch.anchor = append(t.batch.anchor, int32(a))
		t.batch.positive = append(t.batch.positive, int32(p))
		for range q {
			k := r.IntN(n)
			pair.q = append(pair.q, k)
			t.batch.negative = append(t.batch.negative, int32(k))
		}
		if noise {
			for range 2 + q {
				eps := make([]float32, h)
				for d := range eps {
					eps[d] = float32(r.NormFloat64())
				}
				t.batch.eps = append(t.batch.eps, padded(eps)...)
				pair.eps = append(pair.eps, to64(eps[:h]))
			}
		}
		o.pairs = append(o.pairs, pair)
	}
	return o, t, x
}

func to64(x []float32) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}
