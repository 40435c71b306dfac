package margin

import (
	"slices"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// Folded is a Network rearranged for one pair (a,p) with many negatives q. All input forms are linear in a part r
// that the pair shares and a part z_q of the negative alone, so with matrices P and Q
//
//	a₁ = b₁ + P·r + Q·z_q
//
//	Difference   r = y² ∈ R^h            P = A − C      z_q = z²    Q = B + C     (W₁ = [A|B|C], as s₃ = s₂ − s₁)
//	Cat          r = [x_a; x_p] ∈ R^{2h} P = [A|B]      z_q = x_q   Q = C
//	Add          r = x_a + x_p ∈ R^h     P = A          z_q = x_q   Q = A
//
// P·r is computed once a pair, and a negative costs H·h multiplications instead of H·3h, forward, backward and in
// the second derivative alike. The zero value must be filled by Network.Fold.
//
// All products are Accumulate's, which keeps its sum in registers; forward that takes the transposes.
type Folded struct {
	Input   Input
	H, h, w int       // hidden width, latent dimension, width of r
	P, pt   []float32 // H×w and w×H
	Q, qt   []float32 // H×h and h×H
	B1, W2  []float32 // H
	B2      float32
}

// Fold rearranges n into f, reusing f's memory. O(H·h).
func (n *Network) Fold(f *Folded) {
	h := n.Dim()
	f.Input, f.H, f.h, f.w = n.Input, n.H, h, h
	if n.Input == Cat {
		f.w = 2 * h
	}
	f.P, f.Q = resize(f.P, n.H*f.w), resize(f.Q, n.H*h)
	s := n.Input.Width(h)
	for j := range n.H {
		row, p, q := n.W1[j*s:(j+1)*s], f.P[j*f.w:(j+1)*f.w], f.Q[j*h:(j+1)*h]
		switch n.Input {
		case Difference:
			for i := range h {
				p[i], q[i] = row[i]-row[2*h+i], row[h+i]+row[2*h+i]
			}
		case Cat:
			copy(p, row)
			copy(q, row[2*h:])
		case Add:
			copy(p, row)
			copy(q, row)
		}
	}
	f.pt, f.qt = transpose(f.pt, f.P, f.w), transpose(f.qt, f.Q, h)
	f.B1, f.W2, f.B2 = n.B1, n.W2, n.B2
}

// transpose writes the transpose of x, rows of width n, into dst.
func transpose(dst, x []float32, n int) []float32 {
	dst = resize(dst, len(x))
	rows := len(x) / n
	for i := range rows {
		for j := range n {
			dst[j*rows+i] = x[i*n+j]
		}
	}
	return dst
}

// ZeroGradient returns a Folded of the same shape with all parameters 0, to collect a gradient in.
func (f *Folded) ZeroGradient() *Folded {
	g := *f
	g.P, g.Q, g.pt, g.qt = make([]float32, len(f.P)), make([]float32, len(f.Q)), nil, nil
	g.B1, g.W2, g.B2 = make([]float32, f.H), make([]float32, f.H), 0
	return &g
}

// Clear sets all parameters to 0.
func (f *Folded) Clear() {
	clear(f.P)
	clear(f.Q)
	clear(f.B1)
	clear(f.W2)
	f.B2 = 0
}

// AddTo adds the gradient f by (P, Q, b₁, w₂, b₂) to the gradient n by Φ: the transpose of Fold. O(H·h).
func (f *Folded) AddTo(n *Network) {
	h, s := f.h, n.Input.Width(f.h)
	for j := range f.H {
		row, p, q := n.W1[j*s:(j+1)*s], f.P[j*f.w:(j+1)*f.w], f.Q[j*h:(j+1)*h]
		switch f.Input {
		case Difference:
			for i := range h {
				row[i] += p[i]
				row[h+i] += q[i]
				row[2*h+i] += q[i] - p[i]
			}
		case Cat:
			vec.Axpy(1, p, row)
			vec.Axpy(1, q, row[2*h:])
		case Add:
			vec.Axpy(1, p, row)
			vec.Axpy(1, q, row)
		}
	}
	vec.Axpy(1, f.B1, n.B1)
	vec.Axpy(1, f.W2, n.W2)
	n.B2 += f.B2
}

// Pair is the working memory of one pair and its Q negatives: inputs X*, outputs M, and what Backward and Directional
// need of Forward. XQ, Z and the like are Q rows one after the other.
type Pair struct {
	XA, XP []float32 // h
	XQ     []float32 // Q×h
	M      []float32 // Q: the margins

	r []float32 // w
	z []float32 // Q×h
	g []float32 // Q×H: tanh(a₁)
	s []float32 // Q: σ = sigmoid(o)
}

// NewPair returns working memory for one pair with q negatives.
func (f *Folded) NewPair(q int) *Pair {
	return &Pair{
		XA: make([]float32, f.h), XP: make([]float32, f.h), XQ: make([]float32, q*f.h), M: make([]float32, q),
		r: make([]float32, f.w), z: make([]float32, q*f.h), g: make([]float32, q*f.H), s: make([]float32, q),
	}
}

// Scratch is the working memory of one worker. The zero value is ready to use.
type Scratch struct{ a, b, c, d, e, f, g, coef, rows []float32 }

// Forward fills p.M from p.XA, p.XP and p.XQ. O(Q·H·h).
func (f *Folded) Forward(p *Pair, w *Scratch) {
	h, xa, xp := f.h, p.XA, p.XP
	switch f.Input {
	case Difference:
		for i := range h {
			y := xa[i] - xp[i]
			p.r[i] = float32(y * y)
		}
	case Cat:
		copy(p.r, xa)
		copy(p.r[h:], xp)
	case Add:
		for i := range h {
			p.r[i] = xa[i] + xp[i]
		}
	}
	w.a = resize(w.a, f.H)
	shared := w.a
	copy(shared, f.B1)
	vec.Accumulate(shared, p.r, f.pt)
	for k := range p.M {
		xq, z, g := p.XQ[k*h:(k+1)*h], p.z[k*h:(k+1)*h], p.g[k*f.H:(k+1)*f.H]
		if f.Input == Difference {
			for i := range h {
				d := xa[i] - xq[i]
				z[i] = float32(d * d)
			}
		} else {
			copy(z, xq)
		}
		copy(g, shared)
		vec.Accumulate(g, z, f.qt)
		for j := range g {
			g[j] = vec.Tanh(g[j])
		}
		o := vec.Dot(f.W2, g) + f.B2
		p.M[k], p.s[k] = vec.Softplus(o), vec.Sigmoid(o)
	}
}

// Backward adds Σ_k weight_k·∂m_k/∂x to the gradients by the embeddings: dxa, dxp (h) and dxq (Q×h). Negatives of
// weight 0 cost nothing. With e = σ·w₂⊙(1−g²) per negative, β = Qᵀe and γ = Pᵀ Σe,
//
//	Difference   ∂x_a = 2y⊙γ + Σ 2z⊙β   ∂x_p = −2y⊙γ   ∂x_q = −2z⊙β       (z = x_a − x_q here)
//	Cat          ∂x_a = γ₁              ∂x_p = γ₂      ∂x_q = β
//	Add          ∂x_a = γ               ∂x_p = γ       ∂x_q = β
//
// Forward must have run on p. O(active·H·h).
func (f *Folded) Backward(p *Pair, weights, dxa, dxp, dxq []float32, w *Scratch) {
	h := f.h
	w.a, w.b, w.c, w.d = resize(w.a, f.H), resize(w.b, f.H), resize(w.c, h), resize(w.d, f.w)
	e, sum, beta, gamma := w.a, w.b, w.c, w.d
	clear(sum)
	any := false
	for k, weight := range weights {
		if weight == 0 {
			continue
		}
		any = true
		g, c := p.g[k*f.H:(k+1)*f.H], float32(weight*p.s[k])
		for j := range e {
			e[j] = c * f.W2[j] * (1 - float32(g[j]*g[j]))
		}
		vec.Axpy(1, e, sum)
		clear(beta)
		vec.Accumulate(beta, e, f.Q)
		out := dxq[k*h : (k+1)*h]
		if f.Input == Difference {
			xq := p.XQ[k*h : (k+1)*h]
			for i := range h {
				t := 2 * (p.XA[i] - xq[i]) * beta[i]
				dxa[i] += t
				out[i] -= t
			}
		} else {
			vec.Axpy(1, beta, out)
		}
	}
	if !any {
		return
	}
	clear(gamma)
	vec.Accumulate(gamma, sum, f.P)
	switch f.Input {
	case Difference:
		for i := range h {
			t := 2 * (p.XA[i] - p.XP[i]) * gamma[i]
			dxa[i] += t
			dxp[i] -= t
		}
	case Cat:
		vec.Axpy(1, gamma[:h], dxa)
		vec.Axpy(1, gamma[h:], dxp)
	case Add:
		vec.Axpy(1, gamma, dxa)
		vec.Axpy(1, gamma, dxp)
	}
}

// Directional adds Σ_k weight_k·∇_Φ D_k to grad, where D_k = Σ_e ∂m_k/∂x_e · v_e is the derivative of the margin in
// the direction v = (va, vp, vq), va and vp ∈ R^h, vq Q×h. With t = P·ṙ + Q·ż (ṙ, ż the derivatives of r, z along
// v), κ = Σ_j w₂_j(1−g_j²)t_j and ρ = σ(1−σ)κ:
//
//	∂D/∂b₂ = ρ                          ∂D/∂w₂_j = ρ g_j + σ(1−g_j²)t_j
//	∂D/∂a_j = ρ w₂_j(1−g_j²) − 2σ w₂_j g_j(1−g_j²)t_j          ∂D/∂t_j = σ w₂_j(1−g_j²)
//	∂D/∂P = ∂a rᵀ + ∂t ṙᵀ               ∂D/∂Q = ∂a zᵀ + ∂t żᵀ               ∂D/∂b₁ = ∂a
//
// Forward must have run on p. O(active·H·h).
func (f *Folded) Directional(p *Pair, weights, va, vp, vq []float32, grad *Folded, w *Scratch) {
	h := f.h
	w.a, w.b, w.d = resize(w.a, f.H), resize(w.b, f.H), resize(w.d, f.w)
	w.e, w.f, w.g = resize(w.e, 2*f.H), resize(w.f, f.H), resize(w.g, f.H)
	t, shared, rdot := w.a, w.b, w.d
	sumA, sumT, da, dt := w.e[:f.H], w.e[f.H:], w.f, w.g
	// z and ż of the active negatives, rows one after the other, and for each hidden unit its ∂a and ∂t by them:
	// ∂Q is then one product a hidden unit, summed in the order of the negatives.
	n := 2 * len(weights)
	w.rows, w.coef = resize(w.rows, n*h), resize(w.coef, f.H*n)
	used := 0
	switch f.Input {
	case Difference:
		for i := range h {
			rdot[i] = 2 * (p.XA[i] - p.XP[i]) * (va[i] - vp[i])
		}
	case Cat:
		copy(rdot, va)
		copy(rdot[h:], vp)
	case Add:
		for i := range h {
			rdot[i] = va[i] + vp[i]
		}
	}
	clear(sumA)
	clear(sumT)
	any := false
	for k, weight := range weights {
		if weight == 0 {
			continue
		}
		if !any {
			any = true
			clear(shared)
			vec.Accumulate(shared, rdot, f.pt)
		}
		zdot := w.rows[(used+1)*h : (used+2)*h]
		copy(w.rows[used*h:], p.z[k*h:(k+1)*h])
		xq, v := p.XQ[k*h:(k+1)*h], vq[k*h:(k+1)*h]
		if f.Input == Difference {
			for i := range h {
				zdot[i] = 2 * (p.XA[i] - xq[i]) * (va[i] - v[i])
			}
		} else {
			copy(zdot, v)
		}
		copy(t, shared)
		vec.Accumulate(t, zdot, f.qt)

		g, s := p.g[k*f.H:(k+1)*f.H], p.s[k]
		var kappa float32
		for j := range t {
			kappa += float32(f.W2[j] * (1 - float32(g[j]*g[j])) * t[j])
		}
		rho := weight * s * (1 - s) * kappa
		ws := weight * s
		grad.B2 += rho
		for j := range t {
			slope := 1 - float32(g[j]*g[j])
			grad.W2[j] += float32(rho*g[j]) + float32(ws*slope*t[j])
			da[j] = float32(rho*f.W2[j]*slope) - float32(2*ws*f.W2[j]*g[j]*slope*t[j])
			dt[j] = ws * f.W2[j] * slope
		}
		vec.Axpy(1, da, grad.B1)
		vec.Axpy(1, da, sumA)
		vec.Axpy(1, dt, sumT)
		for j := range f.H {
			w.coef[j*n+used], w.coef[j*n+used+1] = da[j], dt[j]
		}
		used += 2
	}
	if !any {
		return
	}
	for j := range f.H {
		vec.Accumulate(grad.Q[j*h:(j+1)*h], w.coef[j*n:j*n+used], w.rows)
		row := grad.P[j*f.w : (j+1)*f.w]
		vec.Axpy(sumA[j], p.r, row)
		vec.Axpy(sumT[j], rdot, row)
	}
}

func resize(x []float32, n int) []float32 { return slices.Grow(x[:0], n)[:n] }
