package pmlam

import (
	"slices"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/loss"
	"github.com/pmlam/pmlam/core/margin"
)

// pairs is a batch of B positive pairs with Q negatives each. Rows are numbers into the step's gathered rows.
type pairs struct {
	q        int       // Q
	anchor   []int32   // B; < 0 where the anchor is composed
	positive []int32   // B
	negative []int32   // B×Q
	eps      []float32 // B×(2+Q)×h noise of anchor, positive, negatives; nil: no noise
	groups   *groups   // who the anchors are composed of; nil: anchors are rows
}

// task is one of the three losses of Eq. 18: user-item, user-user or item-item.
type task struct {
	name   string
	loss   loss.Loss
	weight float32         // of this loss in the sum
	net    *margin.Network // nil: the margin is fixed
	opt    adam            // Adam's state for Φ, in the order of Parameters
	points bool            // rows are points: standard deviations take no gradient

	batch  pairs
	folded margin.Folded
	mem    []*margin.Pair // B, with a network
	coef   []float32      // B×Q: ∂J/∂d_q of the inner loss
	values []float32      // B: loss
	dense  []float32      // vectors that terms refer to, see below
	terms  []term
	sums   ledger
	work   []workspace      // one a worker
	parts  []*margin.Folded // one a chunk: gradients by Φ
}

// dense holds, in rows of 2h: the anchors [0,B), the gradients by the anchors [B,2B), with a network the gradients of
// the margins by positives and negatives [2B, 2B+B(1+Q)), and with composed anchors the gradients by the groups'
// sums behind them.

// workspace is one worker's memory.
type workspace struct {
	dq, cq, weights []float32 // Q
	dxa, dxp, dxq   []float32 // h, h, Q×h
	vq              []float32 // Q×h
	row             []float32 // 2h
	scratch         margin.Scratch
	active          bool
}

func (t *task) prepare(workers, width int) {
	b, q, h := len(t.batch.positive), t.batch.q, width/2
	rows := 2 * b
	if t.net != nil {
		rows += b * (1 + q)
		t.net.Fold(&t.folded)
		for len(t.mem) < b {
			t.mem = append(t.mem, t.folded.NewPair(q))
		}
		if t.parts == nil {
			t.parts = make([]*margin.Folded, chunks)
			for i := range t.parts {
				t.parts[i] = t.folded.ZeroGradient()
			}
		}
	}
	extra := 0
	if g := t.batch.groups; g != nil {
		rows += len(g.users)
		extra = len(g.members)
	}
	t.coef = resize(t.coef, b*q)
	t.values = resize(t.values, b)
	t.dense = resize(t.dense, rows*width)
	terms := b*t.perPair() + extra
	t.terms = slices.Grow(t.terms[:0], terms)[:terms]
	for len(t.work) < workers {
		t.work = append(t.work, workspace{})
	}
	for i := range t.work {
		w := &t.work[i]
		w.dq, w.cq, w.weights = resize(w.dq, q), resize(w.cq, q), resize(w.weights, q)
		w.dxa, w.dxp, w.dxq, w.vq = resize(w.dxa, h), resize(w.dxp, h), resize(w.dxq, q*h), resize(w.vq, q*h)
		w.row = resize(w.row, width)
	}
}

// inner writes ∇_x J_inner of this task into grad (T×2h) for the gathered rows x (T×2h) and returns J_inner, the sum
// of the batch's losses (Eqs. 6, 16, 17). O(B·Q·h), with a network O(B·Q·H·h).
func (t *task) inner(workers int, x, grad []float32, width int, radius float32) float64 {
	t.prepare(workers, width)
	b := len(t.batch.positive)
	if t.batch.groups != nil {
		t.composeAnchors(workers, x, width, radius)
	}
	parallel(workers, b, func(worker, _, from, to int) {
		w := &t.work[worker]
		for i := from; i < to; i++ {
			t.pair(i, x, width, w)
		}
	})
	if t.batch.groups != nil {
		t.composeTerms(workers, width, radius)
	}
	t.sums.sum(workers, t.terms, x, t.dense, grad, width, t.used(width))
	var total float64
	for _, v := range t.values {
		total += float64(v)
	}
	return total
}

func rowOf(x []float32, r, width int) []float32 { return x[r*width : (r+1)*width : (r+1)*width] }

// perPair is how many terms a pair owns: anchor, positive, negatives, and the same again for margins.
func (t *task) perPair() int {
	n := 2 + t.batch.q
	if t.net != nil {
		n += 1 + t.batch.q
	}
	if t.batch.groups != nil {
		n++
	}
	return n
}

// pair does the inner loss of pair i: its value, its terms, and the gradient by its anchor.
func (t *task) pair(i int, x []float32, width int, w *workspace) {
	q, b := t.batch.q, len(t.batch.positive)
	anchor := rowOf(t.dense, i, width)
	if t.batch.groups == nil {
		copy(anchor, rowOf(x, int(t.batch.anchor[i]), width))
	}
	negatives := t.batch.negative[i*q : (i+1)*q]
	dp := t.distances(anchor, i, x, width, w.dq)
	var margins []float32
	if t.net != nil {
		t.margins(i, anchor, x, width, w)
		margins = t.mem[i].M
	}
	value, cp := t.loss.Coefficients(dp, w.dq, margins, w.cq)
	t.values[i] = value * t.weight
	cp *= t.weight
	for k := range w.cq {
		w.cq[k] *= t.weight
	}
	copy(t.coef[i*q:], w.cq)
	terms := t.edges(t.terms[i*t.perPair():], i, x, width, cp, w.cq)
	if t.net == nil {
		return // composeTerms fills what a composed pair has behind its edges
	}
	// Margins: ∂J/∂m_k = −∂J/∂d_k.
	terms = terms[:1+q]
	for k := range terms {
		terms[k] = none
	}
	if cp == 0 {
		return
	}
	for k, c := range w.cq {
		w.weights[k] = -c
	}
	clear(w.dxa)
	clear(w.dxp)
	clear(w.dxq)
	t.folded.Backward(t.mem[i], w.weights, w.dxa, w.dxp, w.dxq, &w.scratch)
	h := width / 2
	slot := 2*b + i*(1+q)
	noise := func(k int) []float32 { return t.noise(i, k, h) }
	clear(w.row)
	t.lift(w.row, w.dxa, noise(0))
	vec.Axpy(1, w.row, rowOf(t.dense, b+i, width))
	t.lift(rowOf(t.dense, slot, width), w.dxp, noise(1))
	terms[0] = term{row: t.batch.positive[i], src: int32(slot), coef: 1}
	for k, c := range w.cq {
		if c != 0 {
			t.lift(rowOf(t.dense, slot+1+k, width), w.dxq[k*h:(k+1)*h], noise(2+k))
			terms[1+k] = term{row: negatives[k], src: int32(slot + 1 + k), coef: 1}
		}
	}
}

// used is how many columns of a row the distances see: all, or of points the mean.
func (t *task) used(width int) int {
	if t.points {
		return width / 2
	}
	return width
}

// lift writes the gradient by a row, [∂x; ∂x⊙ε], for the gradient ∂x by its sample x = μ + s⊙ε.
func (t *task) lift(row, dx, eps []float32) {
	h := len(dx)
	copy(row, dx)
	if eps == nil || t.points {
		clear(row[h:])
		return
	}
	for d := range h {
		row[h+d] = dx[d] * eps[d]
	}
}

// noise returns ε of the k-th entity of pair i: 0 the anchor, 1 the positive, 2.. the negatives; nil where there is none.
func (t *task) noise(i, k, h int) []float32 {
	if t.batch.eps == nil {
		return nil
	}
	at := (i*(2+t.batch.q) + k) * h
	return t.batch.eps[at : at+h]
}

// distances returns d_p of pair i and writes d_q: squared W2 from the anchor.
func (t *task) distances(anchor []float32, i int, x []float32, width int, dq []float32) float32 {
	q := t.batch.q
	n := t.used(width)
	for k, r := range t.batch.negative[i*q : (i+1)*q] {
		dq[k] = gaussian.W2Squared(anchor[:n], rowOf(x, int(r), width)[:n])
	}
	return gaussian.W2Squared(anchor[:n], rowOf(x, int(t.batch.positive[i]), width)[:n])
}

// margins draws the embeddings x = μ + s⊙ε of pair i and runs the network forward (Eqs. 12 to 14).
func (t *task) margins(i int, anchor []float32, x []float32, width int, w *workspace) {
	h, q, p := width/2, t.batch.q, t.mem[i]
	sample := func(dst, row, eps []float32) {
		if eps == nil {
			copy(dst, row[:h])
			return
		}
		for d := range h {
			dst[d] = row[d] + float32(row[h+d]*eps[d])
		}
	}
	sample(p.XA, anchor, t.noise(i, 0, h))
	sample(p.XP, rowOf(x, int(t.batch.positive[i]), width), t.noise(i, 1, h))
	for k, r := range t.batch.negative[i*q : (i+1)*q] {
		sample(p.XQ[k*h:(k+1)*h], rowOf(x, int(r), width), t.noise(i, 2+k, h))
	}
	t.folded.Forward(p, &w.scratch)
}

// edges writes the terms of the distances of pair i with coefficients cp = ∂J/∂d_p and cq = ∂J/∂d_q, and the gradient
// by its anchor a,
//
//	2(c_p + Σc_q)·a − 2c_p·x_p − 2Σ c_q·x_q
//
// into dense. It returns the terms behind those it wrote.
func (t *task) edges(terms []term, i int, x []float32, width int, cp float32, cq []float32) []term {
	q, b := t.batch.q, len(t.batch.positive)
	p := t.batch.positive[i]
	anchor, grad := rowOf(t.dense, i, width), rowOf(t.dense, b+i, width)
	clear(grad)
	n := t.used(width)
	terms[0] = none
	if r := t.batch.anchor[i]; r >= 0 {
		terms[0] = term{row: r, src: int32(b + i), coef: 1}
	}
	terms[1] = none
	total := cp
	for k, c := range cq {
		r := t.batch.negative[i*q+k]
		terms[2+k] = none
		if c != 0 {
			terms[2+k] = term{row: r, src: int32(i), coef: -2 * c, self: 2 * c}
			vec.Axpy(-2*c, rowOf(x, int(r), width)[:n], grad[:n])
			total += c
		}
	}
	if cp != 0 {
		terms[1] = term{row: p, src: int32(i), coef: -2 * cp, self: 2 * cp}
		vec.Axpy(-2*cp, rowOf(x, int(p), width)[:n], grad[:n])
	}
	vec.Axpy(2*total, anchor[:n], grad[:n])
	return terms[2+q:]
}

func resize(x []float32, n int) []float32 { return slices.Grow(x[:0], n)[:n] }
