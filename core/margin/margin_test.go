package margin

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// The oracle: the definition (Eqs. 12 to 14) in float64, with no derivative in it. Everything else is checked
// against central differences of it.
type oracle struct {
	in     Input
	w1     [][]float64
	b1, w2 []float64
	b2     float64
}

func oracleOf(n *Network) *oracle {
	o := &oracle{in: n.Input, b2: float64(n.B2)}
	s := len(n.W1) / n.H
	for j := range n.H {
		o.w1 = append(o.w1, to64(n.W1[j*s:(j+1)*s]))
	}
	o.b1, o.w2 = to64(n.B1), to64(n.W2)
	return o
}

func (o *oracle) margin(xa, xp, xq []float64) float64 {
	var s []float64
	switch o.in {
	case Difference:
		var y2, z2, d []float64
		for i := range xa {
			y, z := xa[i]-xp[i], xa[i]-xq[i]
			y2, z2, d = append(y2, y*y), append(z2, z*z), append(d, z*z-y*y)
		}
		s = append(append(append(s, y2...), z2...), d...)
	case Cat:
		s = append(append(append(s, xa...), xp...), xq...)
	case Add:
		for i := range xa {
			s = append(s, xa[i]+xp[i]+xq[i])
		}
	}
	out := o.b2
	for j, row := range o.w1 {
		a := o.b1[j]
		for i, w := range row {
			a += w * s[i]
		}
		out += o.w2[j] * math.Tanh(a)
	}
	return math.Log1p(math.Exp(out))
}

func to64(x []float32) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = float64(v)
	}
	return out
}

func draw(r *rand.Rand, n int) []float32 {
	x := make([]float32, n)
	for i := range x {
		x[i] = float32(r.NormFloat64())
	}
	return x
}

// difference is the central difference of f by *x.
func difference(x *float64, f func() float64) float64 {
	const e = 1e-5
	keep := *x
	*x = keep + e
	up := f()
	*x = keep - e
	down := f()
	*x = keep
	return (up - down) / (2 * e)
}

func close32(t *testing.T, what string, got float32, want, tolerance float64) {
	t.Helper()
	if math.Abs(float64(got)-want) > tolerance*(1+math.Abs(want)) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// problem is one pair with q negatives.
type problem struct {
	net    *Network
	folded Folded
	pair   *Pair
	w      Scratch
	h, q   int
}

func newProblem(in Input, seed uint64) *problem {
	r := rand.New(rand.NewPCG(seed, 9))
	p := &problem{h: 5, q: 3}
	p.net = NewNetwork(in, p.h, 7, r)
	p.net.B2 = 0.3
	p.net.Fold(&p.folded)
	p.pair = p.folded.NewPair(p.q)
	copy(p.pair.XA, draw(r, p.h))
	copy(p.pair.XP, draw(r, p.h))
	copy(p.pair.XQ, draw(r, p.q*p.h))
	p.folded.Forward(p.pair, &p.w)
	return p
}

func each(t *testing.T, f func(t *testing.T, in Input, seed uint64)) {
	for _, in := range []Input{Difference, Cat, Add} {
		for seed := range uint64(5) {
			t.Run(fmt.Sprintf("%s/%d", in, seed), func(t *testing.T) { f(t, in, seed) })
		}
	}
}

func TestForwardIsTheDefinition(t *testing.T) {
	each(t, func(t *testing.T, in Input, seed uint64) {
		p := newProblem(in, seed)
		o := oracleOf(p.net)
		for k := range p.q {
			xq := p.pair.XQ[k*p.h : (k+1)*p.h]
			want := o.margin(to64(p.pair.XA), to64(p.pair.XP), to64(xq))
			close32(t, "folded margin", p.pair.M[k], want, 2e-6)
			close32(t, "naive margin", p.net.Margin(p.pair.XA, p.pair.XP, xq), want, 2e-6)
			if p.pair.M[k] <= 0 {
				t.Errorf("margin %v is not positive", p.pair.M[k])
			}
		}
	})
}

func TestBackwardIsTheFiniteDifference(t *testing.T) {
	each(t, func(t *testing.T, in Input, seed uint64) {
		p := newProblem(in, seed)
		o := oracleOf(p.net)
		xa, xp, xq := to64(p.pair.XA), to64(p.pair.XP), to64(p.pair.XQ)
		weights := []float32{0.5, 0, 2} // one negative is inactive
		sum := func() (total float64) {
			for k, w := range weights {
				total += float64(w) * o.margin(xa, xp, xq[k*p.h:(k+1)*p.h])
			}
			return total
		}
		dxa, dxp, dxq := make([]float32, p.h), make([]float32, p.h), make([]float32, p.q*p.h)
		p.folded.Backward(p.pair, weights, dxa, dxp, dxq, &p.w)
		for i := range xa {
			close32(t, "∂m/∂x_a", dxa[i], difference(&xa[i], sum), 5e-6)
			close32(t, "∂m/∂x_p", dxp[i], difference(&xp[i], sum), 5e-6)
		}
		for i := range xq {
			close32(t, "∂m/∂x_q", dxq[i], difference(&xq[i], sum), 5e-6)
		}
	})
}

// directional returns Σ weight·D by a central difference along v.
func (p *problem) directional(o *oracle, weights []float32, va, vp, vq []float32) float64 {
	const e = 1e-4
	along := func(step float64) (total float64) {
		move := func(x, v []float32) []float64 {
			out := to64(x)
			for i := range out {
				out[i] += step * float64(v[i])
			}
			return out
		}
		for k, w := range weights {
			at := k * p.h
			total += float64(w) * o.margin(move(p.pair.XA, va), move(p.pair.XP, vp), move(p.pair.XQ[at:at+p.h], vq[at:at+p.h]))
		}
		return total
	}
	return (along(e) - along(-e)) / (2 * e)
}

func TestDirectionalIsTheMixedFiniteDifference(t *testing.T) {
	each(t, func(t *testing.T, in Input, seed uint64) {
		p := newProblem(in, seed)
		o := oracleOf(p.net)
		r := rand.New(rand.NewPCG(seed, 77))
		va, vp, vq := draw(r, p.h), draw(r, p.h), draw(r, p.q*p.h)
		weights := []float32{0.5, 0, 2}
		grad := p.folded.ZeroGradient()
		p.folded.Directional(p.pair, weights, va, vp, vq, grad, &p.w)
		byPhi := Zero(in, p.h, p.net.H)
		grad.AddTo(byPhi)
		d := func() float64 { return p.directional(o, weights, va, vp, vq) }
		const tolerance = 2e-5
		s := len(p.net.W1) / p.net.H
		for j := range p.net.H {
			for i := range s {
				close32(t, "∂D/∂W1", byPhi.W1[j*s+i], difference(&o.w1[j][i], d), tolerance)
			}
			close32(t, "∂D/∂b1", byPhi.B1[j], difference(&o.b1[j], d), tolerance)
			close32(t, "∂D/∂w2", byPhi.W2[j], difference(&o.w2[j], d), tolerance)
		}
		close32(t, "∂D/∂b2", byPhi.B2, difference(&o.b2, d), tolerance)
	})
}

func TestInactiveTripletsLeaveNoTrace(t *testing.T) {
	each(t, func(t *testing.T, in Input, seed uint64) {
		p := newProblem(in, seed)
		r := rand.New(rand.NewPCG(seed, 5))
		none := make([]float32, p.q)
		dxa, dxp, dxq := make([]float32, p.h), make([]float32, p.h), make([]float32, p.q*p.h)
		p.folded.Backward(p.pair, none, dxa, dxp, dxq, &p.w)
		grad := p.folded.ZeroGradient()
		p.folded.Directional(p.pair, none, draw(r, p.h), draw(r, p.h), draw(r, p.q*p.h), grad, &p.w)
		for _, x := range [][]float32{dxa, dxp, dxq, grad.P, grad.Q, grad.B1, grad.W2, {grad.B2}} {
			for _, v := range x {
				if v != 0 {
					t.Fatalf("weights of 0 left the gradient %v", v)
				}
			}
		}
	})
}

func TestParameterCountAndOrder(t *testing.T) {
	n := NewNetwork(Difference, 4, 3, rand.New(rand.NewPCG(1, 1)))
	var names []string
	total := 0
	n.Parameters(func(name string, x []float32) {
		names = append(names, name)
		total += len(x)
		x[0] = 42
	})
	if fmt.Sprint(names) != "[W1 b1 w2 b2]" || total != 3*12+3+3+1 {
		t.Errorf("parameters %v, %d values", names, total)
	}
	if n.B2 != 42 || n.W1[0] != 42 {
		t.Error("what Parameters' callback writes must reach the network")
	}
	if n.Dim() != 4 {
		t.Errorf("Dim() = %d, want 4", n.Dim())
	}
}

func BenchmarkPair(b *testing.B) {
	r := rand.New(rand.NewPCG(1, 1))
	const h, hidden, q = 50, 50, 10
	n := NewNetwork(Difference, h, hidden, r)
	var f Folded
	n.Fold(&f)
	p := f.NewPair(q)
	copy(p.XA, draw(r, h))
	copy(p.XP, draw(r, h))
	copy(p.XQ, draw(r, q*h))
	weights := make([]float32, q)
	for i := range weights {
		weights[i] = 1
	}
	var w Scratch
	dxa, dxp, dxq := make([]float32, h), make([]float32, h), make([]float32, q*h)
	grad := f.ZeroGradient()
	b.Run("forward", func(b *testing.B) {
		for b.Loop() {
			f.Forward(p, &w)
		}
	})
	b.Run("backward", func(b *testing.B) {
		for b.Loop() {
			f.Backward(p, weights, dxa, dxp, dxq, &w)
		}
	})
	b.Run("directional", func(b *testing.B) {
		for b.Loop() {
			f.Directional(p, weights, dxa, dxp, dxq, grad, &w)
		}
	})
}
