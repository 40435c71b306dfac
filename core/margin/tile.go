package margin

import "github.com/pmlam/pmlam/core/internal/vec"

// Tile holds the network's state for P pairs with Q negatives each, T = P·Q triplets: triplet t belongs to pair t/Q.
// Sampling and Forward fill it, Backward and Second read it. Rows of h′, w′ and H′ values are contiguous. A tile is
// small enough to stay in the cache. Its memory is reused; the zero value is ready for Reset. Sums run over h and H
// instead of h′ and H′ where the padding is zero.
type Tile struct {
	P, Q int
	M    []float32 // T: the margins, after Forward

	y    []float32 // P×h′: x_a − x_p, for Difference only
	r    []float32 // P×w′: shared by a pair's triplets
	in   []float32 // T×h′: x_a − x_q for Difference, whose z is its square; otherwise z itself
	g    []float32 // T×H′: tanh(a₁)
	s, o []float32 // T: σ = sigmoid(o), and o
}

// Reset allocates memory for p pairs with q negatives each.
func (t *Tile) Reset(k *Kernel, p, q int) {
	n := p * q
	t.P, t.Q = p, q
	t.y, t.r = resize(t.y, p*k.hp), resize(t.r, p*k.wp)
	t.in, t.g = resize(t.in, n*k.hp), resize(t.g, n*k.Hp)
	t.M, t.s, t.o = resize(t.M, n), resize(t.s, n), resize(t.o, n)
}

// Work is the scratch memory of one worker. The zero value is ready for Reset.
type Work struct {
	xa, ignore []float32 // h′
	half       []float32 // h′: the constant −½
	shared     []float32 // P×H′
	z          []float32 // T×h′: inputs; later of the active triplets only
	pairs      []float32 // P×w′: γ = ∂/∂r, or ṙ
	rows       []float32 // A×h′: β = ∂/∂z, or ż
	e, d       []float32 // A×H′
	sumA, sumT []float32 // P×H′
	scale      []float32 // T: weight·σ
	active     []int32   // A: the triplets of weight ≠ 0, pair after pair, numbered within their pair
	start      []int32   // P+1: the start of each pair
}

// Reset allocates memory for tiles like t.
func (w *Work) Reset(k *Kernel, t *Tile) {
	n := t.P * t.Q
	w.xa, w.ignore = resize(w.xa, k.hp), resize(w.ignore, k.hp)
	if w.half = resize(w.half, k.hp); w.half[0] == 0 {
		for i := range w.half {
			w.half[i] = -0.5
		}
	}
	w.shared, w.sumA, w.sumT = resize(w.shared, t.P*k.Hp), resize(w.sumA, t.P*k.Hp), resize(w.sumT, t.P*k.Hp)
	w.z, w.rows = resize(w.z, n*k.hp), resize(w.rows, n*k.hp)
	w.pairs = resize(w.pairs, t.P*k.wp)
	w.e, w.d = resize(w.e, n*k.Hp), resize(w.d, n*k.Hp)
	w.scale = resize(w.scale, n)
}

// activate lists the triplets of weight ≠ 0.
func (w *Work) activate(t *Tile, weights []float32) {
	w.active, w.start = w.active[:0], w.start[:0]
	for i := range t.P {
		w.start = append(w.start, int32(len(w.active)))
		for k, x := range weights[i*t.Q : (i+1)*t.Q] {
			if x != 0 {
				w.active = append(w.active, int32(k))
			}
		}
	}
	w.start = append(w.start, int32(len(w.active)))
}

// Active returns pair i's triplets of weight ≠ 0 in Backward or Activate, ascending.
func (w *Work) Active(i int) []int32 { return w.active[w.start[i]:w.start[i+1]] }

// of returns the part of x for the active triplets of pair i; x has rows of n for all active ones.
func (w *Work) of(x []float32, i, n int) []float32 {
	return x[int(w.start[i])*n : int(w.start[i+1])*n]
}

// pair returns the part of x for pair i; x has rows of n for all triplets.
func (t *Tile) pair(x []float32, i, n int) []float32 { return x[i*t.Q*n : (i+1)*t.Q*n] }

// Rows of Gaussians are padded like everything here: [μ; s] with h′ values each. Noise ε has h′ values, the padding of
// which is ignored; nil means no noise.

// Pair draws x_a and x_p of pair i from the rows a and p. Draw the pair's negatives next. O(h).
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

// Negatives draws the x_q of pair i's triplets from the rows of x, after Pair. eps holds their noise one after the
// other. O(Q·h).
func (k *Kernel) Negatives(t *Tile, w *Work, i int, x []float32, rows []int32, eps []float32) {
	in, z := t.pair(t.in, i, k.hp), t.pair(w.z, i, k.hp)
	if k.input == Difference {
		vec.SampleDiffs(in, z, w.xa, x, rows, eps)
		return
	}
	for j, r := range rows {
		vec.Lower(in[j*k.hp:(j+1)*k.hp], k.row(x, r), k.noise(eps, j))
	}
	copy(z, in)
}

// row returns row r of x.
func (k *Kernel) row(x []float32, r int32) []float32 {
	return x[int(r)*2*k.hp : (int(r)+1)*2*k.hp]
}

// noise returns row j of eps; nil stays nil.
func (k *Kernel) noise(eps []float32, j int) []float32 {
	if eps == nil {
		return nil
	}
	return eps[j*k.hp : (j+1)*k.hp]
}

// Forward fills t.M (Eqs. 12 to 14) for a tile whose pairs and negatives have been drawn. O(T·H·h).
func (k *Kernel) Forward(t *Tile, w *Work) {
	n, hp, Hp := t.P*t.Q, k.hp, k.Hp
	for i := range t.P {
		copy(w.shared[i*Hp:(i+1)*Hp], k.b1)
	}
	vec.Gemm(w.shared, Hp, t.r, k.wp, 1, k.pt, Hp, t.P, Hp, k.wp)
	for i := range t.P {
		vec.Spread(t.pair(t.g, i, Hp), w.shared[i*Hp:(i+1)*Hp])
	}
	vec.Gemm(t.g, Hp, w.z, hp, 1, k.qt, Hp, n, Hp, k.h)
	vec.Tanhs(t.g[:n*Hp], t.g[:n*Hp])
	vec.MatVec(t.o, t.g, k.w2)
	for j := range t.o {
		t.o[j] += k.b2
	}
	vec.SoftplusSigmoids(t.M, t.s, t.o)
}

// Backward prepares the gradients of Σ_j weights_j·m_j by the inputs, for the Lift methods. With e = σ·w₂⊙(1−g²) per
// triplet, β = Qᵀe and γ = PᵀΣe. Triplets of weight 0 cost nothing; the others become w's active ones. Forward must
// have run. O(A·H·h).
func (k *Kernel) Backward(t *Tile, w *Work, weights []float32) {
	hp, Hp := k.hp, k.Hp
	w.activate(t, weights)
	n := len(w.active)
	for j, x := range weights {
		w.scale[j] = x * t.s[j]
	}
	clear(w.sumA)
	for i := range t.P {
		vec.SlopesScale(w.of(w.e, i, Hp), w.sumA[i*Hp:(i+1)*Hp],
			t.pair(t.g, i, Hp), k.w2, t.pair(w.scale, i, 1), w.Active(i))
	}
	clear(w.rows[:n*hp])
	clear(w.pairs)
	vec.Gemm(w.rows, hp, w.e, Hp, 1, k.q, hp, n, hp, k.H)
	vec.Gemm(w.pairs, k.wp, w.sumA, Hp, 1, k.p, k.wp, t.P, k.wp, k.H)
}

// LiftNegatives writes the gradients of the rows q of the active triplets of pair i to their places in grads, Q×2h′:
// the gradient of c_q·W2²(anchor, q) plus the gradient of the margin, which Backward has prepared. rows, eps and c
// cover all triplets of the pair. The corresponding gradients of the anchor are added to accD (2h′, by its row) and
// accX (h′, by its sample x_a). O(Q·h).
//
//	Difference   ∂x_a = 2y⊙γ + Σ 2z⊙β   ∂x_p = −2y⊙γ   ∂x_q = −2z⊙β       (y = x_a − x_p, z = x_a − x_q)
//	Cat          ∂x_a = γ₁              ∂x_p = γ₂      ∂x_q = β
//	Add          ∂x_a = γ               ∂x_p = γ       ∂x_q = β
//
// A gradient ∂x by a sample becomes [∂x; ∂x⊙ε] by its row.
func (k *Kernel) LiftNegatives(t *Tile, w *Work, i int,
	grads, accD, accX, anchor, x []float32, rows []int32, eps, c []float32) {
	beta := w.of(w.rows, i, k.hp)
	if k.input == Difference {
		vec.TripletsBackward(grads, accD, accX, anchor, x, rows, t.pair(t.in, i, k.hp), beta, eps, c, w.Active(i))
		return
	}
	for a, at := range w.Active(i) {
		j := int(at)
		vec.TripletBackward(grads[j*2*k.hp:(j+1)*2*k.hp], accD, w.ignore, anchor, k.row(x, rows[j]),
			w.half, beta[a*k.hp:(a+1)*k.hp], k.noise(eps, j), c[j]) // −2·(−½)⊙β
	}
}

// LiftPositive is LiftNegatives for the positive of pair i.
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
func (k *Kernel) Activate(t *Tile, w *Work, weights []float32) { w.activate(t, weights) }

// Direction sets the direction v along which pair i's anchor and positive move, given as rows of their Gaussians (2h′).
// Set the directions of the pair's negatives next. O(h).
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

// Directions sets the directions of the active negatives of pair i to rows of v, after Direction. ahead lists rows of v
// to prefetch.
func (k *Kernel) Directions(t *Tile, w *Work, i int, v []float32, rows, ahead []int32, eps []float32) {
	in, z, zdot := t.pair(t.in, i, k.hp), w.of(w.z, i, k.hp), w.of(w.rows, i, k.hp)
	if k.input == Difference {
		vec.TwoDiffs(zdot, z, in, w.xa, v, rows, ahead, eps, w.Active(i))
		return
	}
	for a, at := range w.Active(i) {
		j := int(at)
		vec.Lower(zdot[a*k.hp:(a+1)*k.hp], k.row(v, rows[j]), k.noise(eps, j))
		copy(z[a*k.hp:(a+1)*k.hp], in[j*k.hp:(j+1)*k.hp])
	}
}

// First adds Σ_j weights_j·∇_Φ m_j to grad. Forward must have run on the tile, by any worker.
//
//	∂m/∂b₂ = σ      ∂m/∂w₂ = σ g      ∂m/∂a = σ w₂⊙(1−g²)      ∂m/∂P = ∂a rᵀ      ∂m/∂Q = ∂a zᵀ      ∂m/∂b₁ = ∂a
//
// O(A·H·h), half the cost of Second.
func (k *Kernel) First(t *Tile, w *Work, weights []float32, grad *Gradient) {
	hp, Hp := k.hp, k.Hp
	w.activate(t, weights)
	if len(w.active) == 0 {
		return
	}
	for j, x := range weights {
		w.scale[j] = x * t.s[j]
	}
	clear(w.sumA)
	for i := range t.P {
		sum := w.sumA[i*Hp : (i+1)*Hp]
		g, scale, in, z := t.pair(t.g, i, Hp), t.pair(w.scale, i, 1), t.pair(t.in, i, hp), w.of(w.z, i, hp)
		vec.SlopesScale(w.of(w.e, i, Hp), sum, g, k.w2, scale, w.Active(i))
		vec.Axpy(1, sum, grad.b1)
		for a, at := range w.Active(i) {
			j := int(at)
			grad.b2 += scale[j]
			vec.Axpy(scale[j], g[j*Hp:(j+1)*Hp], grad.w2)
			z := z[a*hp : (a+1)*hp]
			copy(z, in[j*hp:(j+1)*hp])
			if k.input == Difference {
				for d, v := range z {
					z[d] = v * v
				}
			}
		}
	}
	k.products(t, w, w.e, w.z, w.sumA, t.r, grad)
}

// products adds eᵀz to grad's Q and sumᵀr to its P: e and z of the active triplets, sum and r of the pairs.
func (k *Kernel) products(t *Tile, w *Work, e, z, sum, r []float32, grad *Gradient) {
	hp, Hp, n, main := k.hp, k.Hp, len(w.active), grad.main
	vec.Gemm(grad.q, hp, e, 1, Hp, z, hp, k.H, main, n)
	if rest := k.h - main; rest > 0 {
		vec.Gemm(grad.rest, Hp, z[main:], 1, hp, e, Hp, rest, k.H, n)
	}
	vec.Gemm(grad.p, k.wp, sum, 1, Hp, r, k.wp, k.H, k.wp, t.P)
}

// Second adds Σ_j weights_j·∇_Φ D_j to grad, where D_j = Σ_e ∂m_j/∂x_e·v_e is the derivative of the margin along the
// directions set before. With t = P·ṙ + Q·ż (ṙ, ż the derivatives of r, z along v), κ = Σ w₂(1−g²)t and ρ = σ(1−σ)κ:
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
	for i := range t.P {
		vec.Spread(w.of(w.e, i, Hp), w.shared[i*Hp:(i+1)*Hp])
	}
	vec.Gemm(w.e, Hp, w.rows, hp, 1, k.qt, Hp, n, Hp, k.h)
	clear(w.sumA)
	clear(w.sumT)
	for i := range t.P {
		grad.b2 = vec.SecondOrders(w.of(w.e, i, Hp), w.of(w.d, i, Hp), grad.w2,
			w.sumA[i*Hp:(i+1)*Hp], w.sumT[i*Hp:(i+1)*Hp],
			t.pair(t.g, i, Hp), k.w2, t.pair(weights, i, 1), t.pair(t.s, i, 1), w.Active(i), grad.b2)
	}
	for i := range t.P {
		vec.Axpy(1, w.sumA[i*Hp:(i+1)*Hp], grad.b1)
	}
	k.products(t, w, w.e, w.z, w.sumA, t.r, grad)
	k.products(t, w, w.d, w.rows, w.sumT, w.pairs, grad)
}
