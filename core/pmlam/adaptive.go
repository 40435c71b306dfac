package pmlam

import (
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/margin"
)

// throughNetwork computes the inner loss of all pairs with margins from the network: it fills values, terms, and in
// dense the full gradient of every row of every pair. It works in tiles of pairs, so the network becomes products of
// matrices, and a tile is still in the cache for the backward pass. t.tiles keeps the state that the outer step needs.
func (t *task) throughNetwork(workers int, s *step) {
	t.eachTile(workers, func(worker, _, tile, from, to int) {
		w := &t.work[worker]
		t.forward(tile, from, to, s, w)
		t.hinge(tile, from, to, w)
		if t.smooth > 0 {
			t.constantMargins(from, to, s, w)
		} else {
			t.backward(tile, from, to, s, w)
		}
	})
}

// eachTile calls f for every tile, which holds the pairs [from,to).
func (t *task) eachTile(workers int, f func(worker, chunk, tile, from, to int)) {
	per, b := tilePairs(t.batch.q), len(t.batch.positive)
	parallel.Do(workers, len(t.tiles), func(worker, chunk, first, last int) {
		for tile := first; tile < last; tile++ {
			f(worker, chunk, tile, tile*per, min((tile+1)*per, b))
		}
	})
}

// noise returns ε of n entities of pair i, starting with the k-th: 0 is the anchor, 1 the positive, 2… the negatives.
// It is nil without noise.
func (t *task) noise(i, k, n, half int) []float32 {
	if t.batch.eps == nil {
		return nil
	}
	at := (i*(2+t.batch.q) + k) * half
	return t.batch.eps[at : at+n*half]
}

// forward draws the samples of the pairs [from,to) and computes their distances and margins.
func (t *task) forward(tile, from, to int, s *step, w *workspace) {
	q, half, width := t.batch.q, s.half, 2*s.half
	m := &t.tiles[tile]
	m.Reset(&t.kernel, to-from, q)
	w.margin.Reset(&t.kernel, m)
	for i := from; i < to; i++ {
		if t.draw != nil {
			// Drawing noise reads no memory, which gives the cache time to load the memory that backward writes: the
			// gradients of the pair's rows, which are contiguous.
			if t.smooth == 0 {
				slots := t.dense[(2*len(t.batch.positive)+i*(1+q))*width:]
				vec.Prefetch(slots, (1+q)*width, first[:])
			}
			t.draw(t.batch.position[i], t.noise(i, 0, 2+q, half))
		}
		at := (i - from) * q
		anchor, p := vec.Row(t.dense, i, width), vec.Row(s.x, int(t.batch.positive[i]), width)
		vec.Prefetch(s.x, width, t.positive(i+1))
		w.dp[i-from] = t.distances(anchor, i, s.x, width, w.dq[at:at+q])
		t.kernel.Pair(m, &w.margin, i-from, anchor, p, t.noise(i, 0, 1, half), t.noise(i, 1, 1, half))
		t.kernel.Negatives(m, &w.margin, i-from, s.x, t.negatives(i), t.noise(i, 2, q, half))
	}
	t.kernel.Forward(m, &w.margin)
}

// first is a list of row 0 only.
var first = [1]int32{0}

// hinge fills values and coef. For the hinge ∂J/∂m_k = −∂J/∂d_k.
func (t *task) hinge(tile, from, to int, w *workspace) {
	q, m := t.batch.q, &t.tiles[tile]
	copy(t.margins[from*q:], m.M)
	for i := from; i < to; i++ {
		at := (i - from) * q
		value, cp := t.coefficients(w.dp[i-from], w.dq[at:at+q], m.M[at:at+q], w.cq)
		t.values[i] = value * t.weight
		w.dp[i-from] = cp * t.weight
		for k, c := range w.cq {
			t.coef[i*q+k] = c * t.weight
			w.weights[at+k] = -c * t.weight
		}
	}
}

// backward writes the gradients of the rows of the pairs [from,to) and their terms.
func (t *task) backward(tile, from, to int, s *step, w *workspace) {
	b, q, half, width := len(t.batch.positive), t.batch.q, s.half, 2*s.half
	m := &t.tiles[tile]
	t.kernel.Backward(m, &w.margin, w.weights[:(to-from)*q])
	for i := from; i < to; i++ {
		terms, negatives, coef := t.terms[i*(2+q):(i+1)*(2+q)], t.negatives(i), t.coef[i*q:(i+1)*q]
		slot, positive, cp := 2*b+i*(1+q), t.batch.positive[i], w.dp[i-from]
		if cp == 0 { // no triplet is active
			terms[0], terms[1] = term{row: t.batch.anchor[i]}, term{row: positive}
			for k, r := range negatives {
				terms[2+k] = term{row: r}
			}
			continue
		}
		terms[0] = term{row: t.batch.anchor[i], src: int32(b + i), coef: 1}
		terms[1] = term{row: positive, src: int32(slot), coef: 1}
		for k, r := range negatives {
			terms[2+k] = term{row: r, src: int32(slot + 1 + k), coef: 1}
			if coef[k] == 0 {
				terms[2+k].coef = 0
			}
		}
		// The anchor's gradient is [∂x; ∂x⊙ε] of its sample, plus the gradient of its distances.
		anchor, grad := vec.Row(t.dense, i, width), vec.Row(t.dense, b+i, width)
		clear(grad)
		clear(w.accX)
		t.kernel.LiftNegatives(m, &w.margin, i-from, t.dense[(slot+1)*width:(slot+1+q)*width], grad, w.accX, anchor,
			s.x, negatives, t.noise(i, 2, q, half), coef)
		t.kernel.LiftPositive(m, &w.margin, i-from, vec.Row(t.dense, slot, width), grad, w.accX, anchor,
			vec.Row(s.x, int(positive), width), t.noise(i, 1, 1, half), cp)
		vec.Axpy(1, w.accX, grad[:half])
		if eps := t.noise(i, 0, 1, half); eps != nil {
			vec.AddProduct(grad[half:], w.accX, eps)
		}
	}
}

// outer returns J_outer at the proxy and adds ∇_Φ J_outer without the regulariser to out, both for this task. The task
// must have a network and have run inner on the step.
//
//	v = ∇_Θ̃ J_outer(Θ̃)      ∇_Φ J_outer = −α Σ_{active t} ∇_Φ(∇_Θ m_t · v)
//
// J_outer is the hinge with the fixed margin 1 on the same triplets (Eqs. 9, 10), or an alternative from outer.go. The
// sum runs over the triplets that are active in the inner loss, since Φ reaches the proxy only through their margins.
// With a proxy of unit length, v is first made orthogonal to G (across). The smooth hinge has another sum
// (throughWeights). O(B·Q·H·h).
func (t *task) outer(workers int, s *step, out *margin.Network) float64 {
	t.lookAhead(workers, s)
	if t.unit {
		s.across(workers)
	}
	value := t.loss64()
	if t.smooth > 0 {
		t.throughWeights(workers, s, out)
	} else {
		t.throughGradients(workers, s, out)
	}
	return value
}

// lookAhead computes J_outer's values and v = ∇_Θ̃ J_outer of every row of the outer batch; v is 0 elsewhere.
func (t *task) lookAhead(workers int, s *step) {
	inner := t.batch
	defer func() { t.batch = inner }()
	t.batch = inner.forOuter()
	b, q, width := len(t.batch.positive), t.batch.q, 2*s.half
	parallel.Do(workers, b, func(worker, _, from, to int) {
		w := &t.work[worker]
		for i := from; i < to; i++ {
			vec.Prefetch(s.proxy, width, t.positive(i+1))
			vec.Prefetch(s.proxy, width, t.anchor(i+1))
			anchor := vec.Row(t.dense, i, width)
			copy(anchor, vec.Row(s.proxy, int(t.batch.anchor[i]), width))
			dp := t.distances(anchor, i, s.proxy, width, w.dq[:q])
			value, cp := t.outerLoss.Coefficients(dp, w.dq[:q], nil, w.cq)
			t.values[i] = value * t.weight
			cp *= t.weight
			for k := range w.cq {
				w.cq[k] *= t.weight
			}
			t.edges(i, s.proxy, width, cp, w.cq, w)
		}
	})
	s.v = resize(s.v, len(s.x))
	if t.smooth > 0 || t.batch.outerPositive != nil || t.batch.outerNegative != nil {
		clear(s.v) // some of these rows have no gradient here
	}
	t.sums.each(workers, t.terms, s.proxy, t.dense, width,
		func(r int) []float32 { return vec.Row(s.v, r, width) }, func(int, []float32) {})
}

// throughGradients adds −stride·Σ ∇_Φ(∇_Θ m_t · v) over the active triplets to out: Φ reaches the proxy through ∂m/∂Θ.
func (t *task) throughGradients(workers int, s *step, out *margin.Network) {
	q, half, width := t.batch.q, s.half, 2*s.half
	for i := range t.parts {
		t.parts[i].Reset(&t.kernel)
	}
	t.eachTile(workers, func(worker, chunk, tile, from, to int) {
		w := &t.work[worker]
		weights := w.weights[:(to-from)*q]
		for j, c := range t.coef[from*q : to*q] {
			weights[j] = t.stride * c // −stride·(∂J/∂m), as ∂J/∂m = −c
		}
		m := &t.tiles[tile]
		w.margin.Reset(&t.kernel, m)
		t.kernel.Activate(m, &w.margin, weights)
		for i := from; i < to; i++ {
			vec.Prefetch(s.v, width, t.positive(i+1))
			vec.Prefetch(s.v, width, t.anchor(i+1))
			va, vp := vec.Row(s.v, int(t.batch.anchor[i]), width), vec.Row(s.v, int(t.batch.positive[i]), width)
			t.kernel.Direction(m, &w.margin, i-from, va, vp, t.noise(i, 0, 1, half), t.noise(i, 1, 1, half))
			t.kernel.Directions(m, &w.margin, i-from, s.v, t.negatives(i), t.negatives(i+1), t.noise(i, 2, q, half))
		}
		t.kernel.Second(m, &w.margin, weights, &t.parts[chunk])
	})
	for i := range t.parts { // in the order of chunks, for any number of workers
		t.parts[i].AddTo(out, &t.kernel)
	}
}

// learn moves Φ one Adam step along grad + 2λΦ. n counts steps from 1. grad is changed.
func (t *task) learn(grad *margin.Network, lr, lambda float64, n int) {
	step, eps := vec.AdamStep(lr, n)
	at := 0
	var gradients [][]float32
	grad.Parameters(func(_ string, g []float32) { gradients = append(gradients, append([]float32(nil), g...)) })
	k := 0
	t.net.Parameters(func(_ string, x []float32) {
		g := gradients[k]
		for i := range g {
			g[i] += float32(2*lambda) * x[i]
		}
		vec.Adam(x, g, t.opt.m[at:at+len(x)], t.opt.v[at:at+len(x)], step, eps)
		at += len(x)
		k++
	})
}

// Margins returns copies of the margins m of the last batch's user-item triplets, and of their weights c = ∂L/∂δ in the
// inner loss. With the printed hinge c is 1 if a triplet is active and 0 otherwise; with the smooth one it lies in
// between. Both are nil if the margin is fixed, and on a GPU.
func (t *Trainer) Margins() (m, c []float32) {
	task := t.tasks[userItem]
	if task.net == nil || t.device != nil {
		return nil, nil
	}
	m = append(m, task.margins...)
	for _, x := range task.coef[:len(m)] {
		c = append(c, 0-x) // and not −0
	}
	return m, c
}

// meanMargin returns the mean margin of the last batch.
func (t *task) meanMargin() float64 {
	var sum float64
	for _, m := range t.margins {
		sum += float64(m)
	}
	return sum / float64(len(t.margins))
}
