package margin

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// The oracle is the definition (Eqs. 12 to 14) in float64, without derivatives. Everything else is checked against its
// central differences.
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
	if !(math.Abs(float64(got)-want) <= tolerance*(1+math.Abs(want))) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// problem is one pair with q negatives, drawn without noise from padded rows, so that x = μ.
type problem struct {
	net        *Network
	kernel     Kernel
	tile       Tile
	w          Work
	h, q       int
	xa, xp, xq []float32 // h, h, q×h
	va, vp, vq []float32 // the directions, likewise
}

func newProblem(in Input, seed uint64) *problem {
	r := rand.New(rand.NewPCG(seed, 9))
	p := &problem{h: 5 + 13*int(seed%2), q: 3}
	p.net = NewNetwork(in, p.h, 7, r)
	p.net.B2 = 0.3
	p.xa, p.xp, p.xq = draw(r, p.h), draw(r, p.h), draw(r, p.q*p.h)
	p.va, p.vp, p.vq = draw(r, p.h), draw(r, p.h), draw(r, p.q*p.h)
	p.forward()
	return p
}

// row returns x as a padded row of a Gaussian without spread.
func row(x []float32) []float32 {
	out := make([]float32, 2*Pad(len(x)))
	copy(out, x)
	return out
}

// negatives returns the rows of all negatives; list holds their numbers.
func (p *problem) negatives(x []float32) (rows []float32) {
	for k := range p.q {
		rows = append(rows, row(x[k*p.h:(k+1)*p.h])...)
	}
	return rows
}

func (p *problem) list() (rows []int32) {
	for k := range p.q {
		rows = append(rows, int32(k))
	}
	return rows
}

func (p *problem) forward() {
	p.kernel.Load(p.net)
	p.tile.Reset(&p.kernel, 1, p.q)
	p.w.Reset(&p.kernel, &p.tile)
	p.kernel.Pair(&p.tile, &p.w, 0, row(p.xa), row(p.xp), nil, nil)
	p.kernel.Negatives(&p.tile, &p.w, 0, p.negatives(p.xq), p.list(), nil)
	p.kernel.Forward(&p.tile, &p.w)
}

// backward returns the gradients by x_a, x_p (h) and x_q (q×h).
func (p *problem) backward(weights []float32) (dxa, dxp, dxq []float32) {
	n := Pad(p.h)
	accD, accX, anchor, grad := make([]float32, 2*n), make([]float32, n), make([]float32, 2*n), make([]float32, 2*n)
	dxq = make([]float32, p.q*p.h)
	p.kernel.Backward(&p.tile, &p.w, weights)
	grads := make([]float32, p.q*2*n)
	p.kernel.LiftNegatives(
		&p.tile,
		&p.w,
		0,
		grads,
		accD,
		accX,
		anchor,
		p.negatives(p.xq),
		p.list(),
		nil,
		make([]float32, p.q),
	)
	for k := range p.q {
		copy(dxq[k*p.h:(k+1)*p.h], grads[k*2*n:])
	}
	p.kernel.LiftPositive(&p.tile, &p.w, 0, grad, accD, accX, anchor, row(p.xp), nil, 0)
	return accX[:p.h], grad[:p.h], dxq
}

// second returns Σ weights·∇_Φ D.
func (p *problem) second(weights []float32) *Network {
	p.kernel.Activate(&p.tile, &p.w, weights)
	p.kernel.Direction(&p.tile, &p.w, 0, row(p.va), row(p.vp), nil, nil)
	p.kernel.Directions(&p.tile, &p.w, 0, p.negatives(p.vq), p.list(), nil, nil)
	var grad Gradient
	grad.Reset(&p.kernel)
	p.kernel.Second(&p.tile, &p.w, weights, &grad)
	out := Zero(p.net.Input, p.h, p.net.H)
	grad.AddTo(out, &p.kernel)
	return out
}

// first returns ∇_Φ Σ weights·m, after forward.
func (p *problem) first(weights []float32) *Network {
	var grad Gradient
	grad.Reset(&p.kernel)
	p.kernel.First(&p.tile, &p.w, weights, &grad)
	out := Zero(p.net.Input, p.h, p.net.H)
	grad.AddTo(out, &p.kernel)
	return out
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
			xq := p.xq[k*p.h : (k+1)*p.h]
			want := o.margin(to64(p.xa), to64(p.xp), to64(xq))
			close32(t, "the kernel's margin", p.tile.M[k], want, 2e-6)
			close32(t, "the naive margin", p.net.Margin(p.xa, p.xp, xq), want, 2e-6)
			if p.tile.M[k] <= 0 {
				t.Errorf("margin %v is not positive", p.tile.M[k])
			}
		}
	})
}

func TestBackwardIsTheFiniteDifference(t *testing.T) {
	each(t, func(t *testing.T, in Input, seed uint64) {
		p := newProblem(in, seed)
		o := oracleOf(p.net)
		xa, xp, xq := to64(p.xa), to64(p.xp), to64(p.xq)
		weights := []float32{0.5, 0, 2} // one negative is inactive
		sum := func() (total float64) {
			for k, w := range weights {
				total += float64(w) * o.margin(xa, xp, xq[k*p.h:(k+1)*p.h])
			}
			return total
		}
		dxa, dxp, dxq := p.backward(weights)
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
func (p *problem) directional(o *oracle, weights []float32) float64 {
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
			from, to := k*p.h, (k+1)*p.h
			total += float64(w) * o.margin(move(p.xa, p.va), move(p.xp, p.vp), move(p.xq[from:to], p.vq[from:to]))
		}
		return total
	}
	return (along(e) - along(-e)) / (2 * e)
}

func TestSecondIsTheMixedFiniteDifference(t *testing.T) {
	each(t, func(t *testing.T, in Input, seed uint64) {
		p := newProblem(in, seed)
		o := oracleOf(p.net)
		weights := []float32{0.5, 0, 2}
		byPhi := p.second(weights)
		d := func() float64 { return p.directional(o, weights) }
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
		none := make([]float32, p.q)
		dxa, dxp, dxq := p.backward(none)
		phi := p.second(none)
		for _, x := range [][]float32{dxa, dxp, dxq, phi.W1, phi.B1, phi.W2, {phi.B2}} {
			for _, v := range x {
				if v != 0 {
					t.Fatalf("weights of 0 give the gradient %v", v)
				}
			}
		}
	})
}

// Padding must not change results: the padding of rows and hidden layers is 0 and stays 0.
func TestPaddingIsInvisible(t *testing.T) {
	each(t, func(t *testing.T, in Input, seed uint64) {
		p := newProblem(in, seed)
		p.backward([]float32{1, 1, 1})
		n := Pad(p.h)
		for a := range p.w.Active(0) {
			for i := p.h; i < n; i++ {
				if v := p.w.rows[a*n+i]; v != 0 {
					t.Fatalf("β has %v in its padding", v)
				}
			}
		}
		before := p.second([]float32{1, 1, 1})
		// Noise after the end of ε must not matter, because the row has no spread there.
		eps := make([]float32, p.q*n)
		for i := range eps {
			if i%n >= p.h {
				eps[i] = 1e6
			}
		}
		p.kernel.Pair(&p.tile, &p.w, 0, row(p.xa), row(p.xp), eps, eps)
		p.kernel.Negatives(&p.tile, &p.w, 0, p.negatives(p.xq), p.list(), eps)
		p.kernel.Forward(&p.tile, &p.w)
		after := p.second([]float32{1, 1, 1})
		for i := range before.W1 {
			if before.W1[i] != after.W1[i] {
				t.Fatalf("∂D/∂W1[%d] changed from %v to %v", i, before.W1[i], after.W1[i])
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
		t.Error("writes by Parameters' callback do not reach the network")
	}
	if n.Dim() != 4 {
		t.Errorf("Dim() = %d, want 4", n.Dim())
	}
}

// BenchmarkTile computes one tile of 8 pairs with 10 negatives each, all active, at the paper's dimensions.
func BenchmarkTile(b *testing.B) {
	const h, hidden, pairs, q = 50, 50, 8, 10
	r := rand.New(rand.NewPCG(1, 1))
	var k Kernel
	var t Tile
	var w Work
	var grad Gradient
	k.Load(NewNetwork(Difference, h, hidden, r))
	t.Reset(&k, pairs, q)
	w.Reset(&k, &t)
	grad.Reset(&k)
	a, weights := row(draw(r, h)), make([]float32, pairs*q)
	for i := range weights {
		weights[i] = 1
	}
	for i := range pairs {
		k.Pair(&t, &w, i, a, row(draw(r, h)), nil, nil)
		var negatives []float32
		var list []int32
		for n := range q {
			negatives, list = append(negatives, row(draw(r, h))...), append(list, int32(n))
		}
		k.Negatives(&t, &w, i, negatives, list, nil)
	}
	b.Run("forward", func(b *testing.B) {
		for b.Loop() {
			k.Forward(&t, &w)
		}
	})
	b.Run("backward", func(b *testing.B) {
		for b.Loop() {
			k.Backward(&t, &w, weights)
		}
	})
	b.Run("second", func(b *testing.B) {
		for b.Loop() {
			k.Activate(&t, &w, weights)
			k.Second(&t, &w, weights, &grad)
		}
	})
}
