package margin

import "github.com/pmlam/pmlam/core/internal/vec"

// Tile is what the network knows of P pairs with Q negatives each, T = P·Q triplets: triplet t belongs to pair t/Q.
// Sampling and Forward fill it, Backward and Second read it. Rows of h′, w′ and H′ values lie one after the other. It
// is small enough to stay in the cache while it is worked on. Its memory is reused; the zero value is ready for Reset.
// Sums run over h and H, not h′ and H′, wherever what lies between is zero.
type Tile struct {
	P, Q int
	M    []float32 // T: the margins, after Forward

	y    []float32 // P×h′: x_a − x_p, for Difference only
	r    []float32 // P×w′: what a pair's triplets share
	in   []float32 // T×h′: x_a − x_q for Difference, whose z is its square; else z itself
	g    []float32 // T×H′: tanh(a₁)
	s, o []float32 // T: σ = sigmoid(o), and o
}

// Reset makes room for p pairs with q negatives each.
func (t *Tile) Reset(k *Kernel, p, q int) {
	n := p * q
	t.P, t.Q = p, q
	t.y, t.r = resize(t.y, p*k.hp), resize(t.r, p*k.wp)
	t.in, t.g = resize(t.in, n*k.hp), resize(t.g, n*k.Hp)
	t.M, t.s, t.o = resize(t.M, n), resize(t.s, n), resize(t.o, n)
}

// Work is the working memory of one worker. The zero value is ready for Reset.
type Work struct {
	xa, ignore []float32 // h′
	half, zero []float32 // h′: constants −½ and 0
	shared     []float32 // P×H′
	z          []float32 // T×h′: inputs; later those of the active triplets only
	pairs      []float32 // P×w′: γ = ∂/∂r, or ṙ
	rows       []float32 // A×h′: β = ∂/∂z, or ż
	e, d       []float32 // A×H′
	sumA, sumT []float32 // P×H′
	active     []int32   // A: the triplets of weight ≠ 0, ascending
}

// Reset makes room for tiles like t.
func (w *Work) Reset(k *Kernel, t *Tile) {
	n := t.P * t.Q
	w.xa, w.ignore, w.zero = resize(w.xa, k.hp), resize(w.ignore, k.hp), zeroed(w.zero, k.hp)
	if w.half = resize(w.half, k.hp); w.half[0] == 0 {
		for i := range w.half {
			w.half[i] = -0.5
		}
	}
	w.shared, w.sumA, w.sumT = resize(w.shared, t.P*k.Hp), resize(w.sumA, t.P*k.Hp), resize(w.sumT, t.P*k.Hp)
	w.z, w.rows = resize(w.z, n*k.hp), resize(w.rows, n*k.hp)
	w.pairs = resize(w.pairs, t.P*k.wp)
	w.e, w.d = resize(w.e, n*k.Hp), resize(w.d, n*k.Hp)
}

// Rows of Gaussians are padded like everything here: [μ; s] with h′ values each. Noise ε has h′ values, of which the
// padded ones do not matter; nil is no noise.

// Pair draws x_a and x_p of pair i from the rows a and p; the pair's negatives follow at once. O(h).
func (k *Kernel) Pair(t *Tile, w *Work, i int, a, p, epsA, epsP []float32) {
	vec.Lower(w.xa, a, epsA)
	r := t.r[i*k.wp : (i+1)*k.wp]
	switch k.input {
	case Difference:
		vec.SampleDiff(t.y[i*k.hp:(i+1)*k.hp], r, w.xa, p, epsP)
	case Cat:
		copy(r, w.xa)
		vec.Lower(r[k.hp:], p, epsP)
	case Add:
		vec.Lower(r, p, epsP)
		vec.Axpy(1, w.xa, r)
	}
}

// Negative draws x_q of triplet j from the row q, for the pair that Pair was called with last. O(h).
func (k *Kernel) Negative(t *Tile, w *Work, j int, q, eps []float32) {
	in, z := t.in[j*k.hp:(j+1)*k.hp], w.z[j*k.hp:(j+1)*k.hp]
	if k.input == Difference {
		vec.SampleDiff(in, z, w.xa, q, eps)
		return
	}
	vec.Lower(in, q, eps)
	copy(z, in)
}

// Forward fills t.M (Eqs. 12 to 14) for a tile whose pairs and negatives have been drawn. O(T·H·h).
func (k *Kernel) Forward(t *Tile, w *Work) {
	n, hp, Hp := t.P*t.Q, k.hp, k.Hp
	for i := range t.P {
		copy(w.shared[i*Hp:(i+1)*Hp], k.b1)
	}
	vec.Gemm(w.shared, Hp, t.r, k.wp, 1, k.pt, Hp, t.P, Hp, k.wp)
	for j := range n {
		i := j / t.Q
		copy(t.g[j*Hp:(j+1)*Hp], w.shared[i*Hp:(i+1)*Hp])
	}
	vec.Gemm(t.g, Hp, w.z, hp, 1, k.qt, Hp, n, Hp, k.h)
	vec.Tanhs(t.g[:n*Hp], t.g[:n*Hp])
	vec.MatVec(t.o, t.g, k.w2)
	for j := range t.o {
		t.o[j] += k.b2
	}
	vec.SoftplusSigmoids(t.M, t.s, t.o)
}

// Backward prepares the gradients of Σ_j weights_j·m_j by what the network saw, for Lift to hand out. With
// e = σ·w₂⊙(1−g²) per triplet, β = Qᵀe and γ = PᵀΣe. Triplets of weight 0 cost nothing; the others are w's active
// ones. Forward must have run. O(A·H·h).
func (k *Kernel) Backward(t *Tile, w *Work, weights []float32) {
	hp, Hp := k.hp, k.Hp
	w.activate(weights)
	n := len(w.active)
	clear(w.sumA)
	for a, j := range w.active {
		e := w.e[a*Hp : (a+1)*Hp]
		vec.SlopeScale(e, t.g[int(j)*Hp:(int(j)+1)*Hp], k.w2, float32(weights[j]*t.s[j]))
		i := int(j) / t.Q
		vec.Axpy(1, e, w.sumA[i*Hp:(i+1)*Hp])
	}
	clear(w.rows[:n*hp])
	clear(w.pairs)
	vec.Gemm(w.rows, hp, w.e, Hp, 1, k.q, hp, n, hp, k.H)
	vec.Gemm(w.pairs, k.wp, w.sumA, Hp, 1, k.p, k.wp, t.P, k.wp, k.H)
}

// activate lists the triplets of weight ≠ 0.
func (w *Work) activate(weights []float32) {
	w.active = w.active[:0]
	for j, x := range weights {
		if x != 0 {
			w.active = append(w.active, int32(j))
		}
	}
}

// Active returns the triplets whose weight was not 0 in Backward or Activate, ascending.
func (w *Work) Active() []int32 { return w.active }

// LiftNegative writes the gradient by the row q of the active triplet number a: that of c·W2²(anchor, q) and that of
// the margin as Backward left it. Their counterparts by the anchor are added to accD (2h′, by its row) and accX (h′,
// by its sample x_a). O(h).
//
//	Difference   ∂x_a = 2y⊙γ + Σ 2z⊙β   ∂x_p = −2y⊙γ   ∂x_q = −2z⊙β       (y = x_a − x_p, z = x_a − x_q)
//	Cat          ∂x_a = γ₁              ∂x_p = γ₂      ∂x_q = β
//	Add          ∂x_a = γ               ∂x_p = γ       ∂x_q = β
//
// A gradient ∂x by a sample is [∂x; ∂x⊙ε] by its row.
func (k *Kernel) LiftNegative(t *Tile, w *Work, a int, grad, accD, accX, anchor, row, eps []float32, c float32) {
	j := int(w.active[a])
	beta := w.rows[a*k.hp : (a+1)*k.hp]
	if k.input == Difference {
		vec.TripletBackward(grad, accD, accX, anchor, row, t.in[j*k.hp:(j+1)*k.hp], beta, eps, c)
		return
	}
	vec.TripletBackward(grad, accD, w.ignore, anchor, row, w.half, beta, eps, c) // −2·(−½)⊙β
}

// LiftPositive does for the positive of pair i what LiftNegative does for a negative.
func (k *Kernel) LiftPositive(t *Tile, w *Work, i int, grad, accD, accX, anchor, row, eps []float32, c float32) {
	gamma := w.pairs[i*k.wp : (i+1)*k.wp]
	if k.input == Difference {
		vec.TripletBackward(grad, accD, accX, anchor, row, t.y[i*k.hp:(i+1)*k.hp], gamma, eps, c)
		return
	}
	vec.TripletBackward(grad, accD, w.ignore, anchor, row, w.half, gamma[k.wp-k.hp:], eps, c)
	vec.Axpy(1, gamma[:k.hp], accX)
}

// Activate prepares Direction and Second for the triplets of weight ≠ 0.
func (k *Kernel) Activate(t *Tile, w *Work, weights []float32) { w.activate(weights) }

// Direction sets the direction v along which pair i's anchor and positive move, as rows by their Gaussians (2h′). The
// pair's negatives follow at once. O(h).
func (k *Kernel) Direction(t *Tile, w *Work, i int, va, vp, epsA, epsP []float32) {
	vec.Lower(w.xa, va, epsA)
	rdot := w.pairs[i*k.wp : (i+1)*k.wp]
	switch k.input {
	case Difference:
		vec.TwoDiff(rdot, t.y[i*k.hp:(i+1)*k.hp], w.xa, vp, epsP)
	case Cat:
		copy(rdot, w.xa)
		vec.Lower(rdot[k.hp:], vp, epsP)
	case Add:
		vec.Lower(rdot, vp, epsP)
		vec.Axpy(1, w.xa, rdot)
	}
}

// DirectionNegative sets the direction of the negative of the active triplet number a.
func (k *Kernel) DirectionNegative(t *Tile, w *Work, a int, vq, eps []float32) {
	j := int(w.active[a])
	in, z, zdot := t.in[j*k.hp:(j+1)*k.hp], w.z[a*k.hp:(a+1)*k.hp], w.rows[a*k.hp:(a+1)*k.hp]
	if k.input == Difference {
		vec.TwoDiff(zdot, in, w.xa, vq, eps)
		for i, x := range in {
			z[i] = x * x
		}
		return
	}
	vec.Lower(zdot, vq, eps)
	copy(z, in)
}

// Second adds Σ_j weights_j·∇_Φ D_j to grad, where D_j = Σ_e ∂m_j/∂x_e·v_e is the derivative of the margin along the
// directions set before. With t = P·ṙ + Q·ż (ṙ, ż the derivatives of r, z along v), κ = Σ w₂(1−g²)t and
// ρ = σ(1−σ)κ:
//
//	∂D/∂b₂ = ρ                          ∂D/∂w₂_j = ρ g_j + σ(1−g_j²)t_j
//	∂D/∂a_j = ρ w₂_j(1−g_j²) − 2σ w₂_j g_j(1−g_j²)t_j          ∂D/∂t_j = σ w₂_j(1−g_j²)
//	∂D/∂P = ∂a rᵀ + ∂t ṙᵀ               ∂D/∂Q = ∂a zᵀ + ∂t żᵀ               ∂D/∂b₁ = ∂a
//
// O(A·H·h).
func (k *Kernel) Second(t *Tile, w *Work, weights []float32, grad *Gradient) {
	hp, Hp, n := k.hp, k.Hp, len(w.active)
	if n == 0 {
		return
	}
	clear(w.shared)
	vec.Gemm(w.shared, Hp, w.pairs, k.wp, 1, k.pt, Hp, t.P, Hp, k.wp)
	for a, j := range w.active {
		i := int(j) / t.Q
		copy(w.e[a*Hp:(a+1)*Hp], w.shared[i*Hp:(i+1)*Hp])
	}
	vec.Gemm(w.e, Hp, w.rows, hp, 1, k.qt, Hp, n, Hp, k.h)
	clear(w.sumA)
	clear(w.sumT)
	for a, j := range w.active {
		i, da, dt := int(j)/t.Q, w.e[a*Hp:(a+1)*Hp], w.d[a*Hp:(a+1)*Hp]
		grad.b2 += vec.SecondOrder(da, dt, grad.w2, t.g[int(j)*Hp:(int(j)+1)*Hp], da, k.w2, weights[j], t.s[j])
		vec.Axpy(1, da, w.sumA[i*Hp:(i+1)*Hp])
		vec.Axpy(1, dt, w.sumT[i*Hp:(i+1)*Hp])
	}
	for i := range t.P {
		vec.Axpy(1, w.sumA[i*Hp:(i+1)*Hp], grad.b1)
	}
	vec.Gemm(grad.q, hp, w.e, 1, Hp, w.z, hp, k.H, hp, n)
	vec.Gemm(grad.q, hp, w.d, 1, Hp, w.rows, hp, k.H, hp, n)
	vec.Gemm(grad.p, k.wp, w.sumA, 1, Hp, t.r, k.wp, k.H, k.wp, t.P)
	vec.Gemm(grad.p, k.wp, w.sumT, 1, Hp, w.pairs, k.wp, k.H, k.wp, t.P)
}
