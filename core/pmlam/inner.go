package pmlam

import (
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/margin"
)

// pairs is a batch of B positive pairs with Q negatives each. Rows are local rows of the step.
type pairs struct {
	q        int     // Q
	anchor   []int32 // A = B, or one per part; < 0 if the anchor is composed only of its group
	starts   []int32 // A+1: pairs [starts[i], starts[i+1]) have anchor i; nil: each pair has its own
	positive []int32 // B
	negative []int32 // B×Q; if blocks of anchors share them, blocks×Q
	// used by the outer loss instead; nil: the same
	outerPositive, outerNegative []int32
	position                     []int32   // B: the pair's position in the epoch, which numbers its noise
	eps                          []float32 // B×(2+Q)×half: noise of anchor, positive, negatives; nil: no noise
	groups                       *groups   // composition of the anchors; nil: anchors are rows
	shared                       *shared   // negatives shared by blocks of anchors; nil: each pair has its own
}

// of returns the pairs [from,to) of anchor i.
func (b *pairs) of(i int) (from, to int) {
	if b.starts == nil {
		return i, i + 1
	}
	return int(b.starts[i]), int(b.starts[i+1])
}

// task is one of the three losses of Eq. 18: user-item, user-user or item-item.
type task struct {
	name      string
	loss      gaussian.Loss
	weight    float32                             // of this loss in the sum
	net       *margin.Network                     // nil: the margin is fixed
	opt       adam                                // Adam's state for Φ, in the order of Parameters
	smooth    float32                             // τ of the smooth hinge; 0: the hinge as printed, or softmax
	unit      bool                                // the proxy's step has the length α
	outerLoss gaussian.Loss                       // of the outer batch
	stride    float32                             // after inner: the factor of G in the proxy
	discount  float64                             // β of parts
	power     float32                             // q of parts
	points    bool                                // rows are points: composed anchors also have s = 0
	draw      func(position int32, eps []float32) // draws the noise of a pair; nil: batch.eps holds it

	batch   pairs
	coef    []float32 // B×Q: ∂J/∂d_q of the inner loss; with a network, of −∂J/∂m
	margins []float32 // B×Q, with a network
	values  []float32 // B: loss
	kernel  margin.Kernel
	*scratch
}

// scratch is the memory of one batch of a step. The tasks use it in turn, because it is far larger than a cache. After
// a step it holds the last task's values.
type scratch struct {
	dense []float32 // vectors that terms refer to, see below
	eps   []float32 // the noise, if it is drawn
	terms []term
	sums  termSums
	work  []workspace       // one per worker
	tiles []margin.Tile     // of tilePairs pairs, with a network
	parts []margin.Gradient // one per chunk: gradients by Φ
}

// dense holds, in rows of 2·half: the anchors [0,A), then their gradients [A,2A). After these come, with a network and
// the printed hinge, the gradients of positives and negatives, 1+Q per pair; with shared negatives, the gradients of
// the negatives, Q per block; and last, with composed anchors, the gradients of the groups' sums.

// workspace is the memory of one worker.
type workspace struct {
	dp, dq, cq, weights []float32 // of a pair or tile
	row                 []float32 // 2·half
	accX                []float32 // half
	list                []int32   // rows with
	coef                []float32 // their coefficients
	margin              margin.Work
	block               block
}

// tileTriplets is the approximate number of triplets that pass through the margin network at once: enough for products
// of matrices, few enough for the innermost cache.
const tileTriplets = 80

// tilePairs returns the number of pairs in a tile, with q negatives each.
func tilePairs(q int) int { return max(1, tileTriplets/q) }

func (t *task) prepare(workers int, s *step) {
	if t.scratch == nil {
		t.scratch = new(scratch)
	}
	b, q, width := len(t.batch.positive), t.batch.q, 2*s.half
	rows, terms := 2*len(t.batch.anchor), b*t.perPair()
	if t.net != nil {
		if t.smooth == 0 {
			rows += b * (1 + q)
		}
		t.kernel.Load(t.net)
		t.tiles = vec.Resize(t.tiles, (b+tilePairs(q)-1)/tilePairs(q))
		t.parts = vec.Resize(t.parts, parallel.Chunks)
		t.margins = resize(t.margins, b*q)
		if t.draw != nil {
			t.eps = resize(t.eps, b*(2+q)*s.half)
			t.batch.eps = t.eps
		}
	}
	if t.batch.shared != nil {
		rows += len(t.batch.negative)
		terms += len(t.batch.negative)
	} else {
		t.coef = resize(t.coef, b*q)
	}
	if g := t.batch.groups; g != nil {
		rows += len(g.users)
		terms += len(g.members)
	}
	t.values = resize(t.values, b)
	t.dense = resize(t.dense, rows*width)
	t.terms = vec.Resize(t.terms, terms)
	for len(t.work) < workers {
		t.work = append(t.work, workspace{})
	}
	n := tilePairs(q) * q
	for i := range t.work {
		w := &t.work[i]
		w.dp, w.dq, w.cq, w.weights = resize(w.dp, tilePairs(q)), resize(w.dq, n), resize(w.cq, q), resize(w.weights, n)
		w.row, w.accX = resize(w.row, width), resize(w.accX, s.half)
	}
}

// inner adds ∇_x J_inner of this task to the step's gradient and returns J_inner, the sum of the batch's losses (Eqs.
// 6, 16, 17). With a network it also stores the proxy Θ̃ = Θ − α∇_x J_inner of every touched row in the step (propose).
// O(B·Q·h), with a network O(B·Q·H·h).
func (t *task) inner(workers int, s *step, radius, alpha float32) float64 {
	t.prepare(workers, s)
	b, width := len(t.batch.positive), 2*s.half
	t.anchors(workers, s, radius)
	switch {
	case t.net != nil:
		t.throughNetwork(workers, s)
	case t.batch.shared != nil:
		t.throughBlocks(workers, s)
	default:
		parallel.Do(workers, b, func(worker, _, from, to int) {
			w := &t.work[worker]
			for i := from; i < to; i++ {
				t.pair(i, s.x, width, w)
			}
		})
	}
	if t.batch.groups != nil {
		t.composeTerms(workers, width, radius)
	}
	if t.net != nil {
		s.proxy = resize(s.proxy, len(s.x))
		if t.unit {
			s.own = resize(s.own, len(s.x))
			s.squares = vec.Resize(s.squares, len(s.seen))
			clear(s.squares)
		}
	}
	t.sums.each(workers, t.terms, s.x, t.dense, width, s.unwritten, func(r int, g []float32) {
		s.add(r, g)
		switch {
		case t.net == nil:
		case t.unit: // the length is known once all rows are done
			copy(vec.Row(s.own, r, width), g)
			s.squares[r] = float64(vec.Dot(g, g))
		default:
			vec.AxpyInto(vec.Row(s.proxy, r, width), -alpha, g, vec.Row(s.x, r, width))
		}
	})
	if t.net != nil {
		t.propose(workers, s, alpha)
	}
	return t.loss64()
}

// loss64 returns the sum of the pairs' losses.
func (t *task) loss64() (total float64) {
	for _, v := range t.values {
		total += float64(v)
	}
	return total
}

// anchors lays the anchors side by side in dense. O(B·h); O((members + B)·h) if they are composed.
func (t *task) anchors(workers int, s *step, radius float32) {
	width := 2 * s.half
	if t.batch.groups != nil {
		t.composeAnchors(workers, s.x, width, radius)
		return
	}
	parallel.Do(workers, len(t.batch.positive), func(_, _, from, to int) {
		for i := from; i < to; i++ {
			copy(vec.Row(t.dense, i, width), vec.Row(s.x, int(t.batch.anchor[i]), width))
		}
	})
}

// perPair returns the number of a pair's terms: anchor, positive, its own negatives, and one more for a composed
// anchor.
func (t *task) perPair() int {
	n := 2
	if t.batch.shared == nil {
		n += t.batch.q
	}
	if t.batch.groups != nil {
		n++
	}
	return n
}

// pair computes the loss of pair i with a fixed margin or the softmax: its value, its terms, and the gradient of its
// anchor.
func (t *task) pair(i int, x []float32, width int, w *workspace) {
	q := t.batch.q
	anchor := vec.Row(t.dense, i, width)
	dq := w.dq[:q]
	dp := t.distances(anchor, i, x, width, dq)
	value, cp := t.coefficients(dp, dq, nil, w.cq)
	t.values[i] = value * t.weight
	cp *= t.weight
	for k := range w.cq {
		w.cq[k] *= t.weight
	}
	t.edges(i, x, width, cp, w.cq, w)
}

// positive returns pair i's positive as a list, for kernels that take lists; it is empty after the last pair.
func (t *task) positive(i int) []int32 { return t.batch.positive[i:min(i+1, len(t.batch.positive))] }

// anchor does the same for the anchor.
func (t *task) anchor(i int) []int32 { return t.batch.anchor[i:min(i+1, len(t.batch.anchor))] }

// negatives returns the rows of pair i's own negatives; nil after the last pair.
func (t *task) negatives(i int) []int32 {
	if i == len(t.batch.positive) {
		return nil
	}
	return t.batch.negative[i*t.batch.q : (i+1)*t.batch.q]
}

// distances returns d_p of pair i and writes d_q: squared W2 from the anchor.
func (t *task) distances(anchor []float32, i int, x []float32, width int, dq []float32) float32 {
	vec.SquaredDistancesOf(dq, anchor, x, t.negatives(i), t.negatives(i+1))
	return gaussian.W2Squared(anchor, vec.Row(x, int(t.batch.positive[i]), width))
}

// edges writes the terms of the distances of pair i with coefficients cp = ∂J/∂d_p and cq = ∂J/∂d_q, and the gradient
// of its anchor a,
//
//	2(c_p + Σc_q)·a − 2c_p·x_p − 2Σ c_q·x_q
//
// to dense.
func (t *task) edges(i int, x []float32, width int, cp float32, cq []float32, w *workspace) {
	b, p := len(t.batch.positive), t.batch.positive[i]
	terms := t.terms[i*t.perPair():]
	anchor, grad := vec.Row(t.dense, i, width), vec.Row(t.dense, b+i, width)
	terms[0] = noTerm
	if r := t.batch.anchor[i]; r >= 0 {
		terms[0] = term{row: r, src: int32(b + i), coef: 1}
	}
	terms[1] = term{row: p, src: int32(i), coef: -2 * cp, self: 2 * cp}
	total := cp
	w.list, w.coef = w.list[:0], w.coef[:0]
	for k, r := range t.negatives(i) {
		c := cq[k]
		terms[2+k] = term{row: r, src: int32(i), coef: -2 * c, self: 2 * c}
		if c != 0 {
			w.list, w.coef = append(w.list, r), append(w.coef, -2*c)
			total += c
		}
	}
	if cp != 0 {
		w.list, w.coef = append(w.list, p), append(w.coef, -2*cp)
	}
	vec.SumRows(grad, w.coef, x, w.list)
	vec.Axpy(2*total, anchor, grad)
}

// resize returns x with length n and undefined content.
func resize(x []float32, n int) []float32 {
	if cap(x) < n {
		x = make([]float32, n, n+n/8) // batches differ a little
		parallel.AdviseHuge(x)
	}
	return x[:n]
}
