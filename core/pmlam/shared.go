package pmlam

import (
	"math"

	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/training"
)

// shared makes the anchors of a block share one list of negatives: anchors [n·size, (n+1)·size) the n-th list of Q.
// Their distances are one product of matrices, and a negative's row is read once per block instead of once per pair.
type shared struct {
	size int       // S: anchors in a block; the last may have fewer
	hide [][]int32 // blocks: k·S + i if the block's i-th user likes the k-th negative
}

// block is a worker's memory for one block.
type block struct {
	anchorsT []float32 // 2·half×S: the anchors, transposed
	rows     []float32 // Q×2·half: the negatives
	c        []float32 // Q×S: logits, then −2·∂L/∂d_q
	top      []float32 // S: the largest logit
	sum      []float32 // S
	base     []float32 // S: d_p − ‖a‖², p the first positive
	cp       []float32 // of the block's pairs: ∂L/∂d_p
}

// throughBlocks computes the softmax loss with shared negatives. If each pair has its own anchor (parts.go if not):
//
//	L_i = log(1 + Σ_k exp((d_p − d_k)/τ))   over the negatives k of the block that user i does not like
//	d_k = ‖a_i‖² + ‖x_k‖² − 2a_i·x_k
//
// With n_ik = −∂L_i/∂d_k ≥ 0 and c_p = Σ_k n_ik, the gradients are ∂a_i = −2c_p·x_p + 2Σ_k n_ik x_k (the multiples of
// a_i cancel) and ∂x_k = Σ_i 2n_ik(a_i − x_k), which are two more products. O(B·Q·h).
func (t *task) throughBlocks(workers int, s *step) {
	size := t.batch.shared.size
	blocks := (len(t.batch.anchor) + size - 1) / size
	parallel.Do(workers, blocks, func(worker, _, first, last int) {
		for n := first; n < last; n++ {
			t.block(n, n*size, min((n+1)*size, len(t.batch.anchor)), s, &t.work[worker].block)
		}
	})
}

// block computes block number n, which holds the anchors [from,to).
func (t *task) block(n, from, to int, s *step, w *block) {
	a, q, size, width := len(t.batch.anchor), t.batch.q, t.batch.shared.size, 2*s.half
	negatives := t.batch.negative[n*q : (n+1)*q]
	anchors := t.dense[from*width : to*width]
	m := to - from
	firstPair, _ := t.batch.of(from)
	_, endPair := t.batch.of(to - 1)
	w.gather(anchors, negatives, s.x, m, size, width)
	w.cp = resize(w.cp, endPair-firstPair)
	for i := range m {
		first, _ := t.batch.of(from + i)
		anchor, p := vec.Row(anchors, i, width), vec.Row(s.x, int(t.batch.positive[first]), width)
		w.base[i] = vec.SquaredDistance(anchor, p) - vec.Dot(anchor, anchor)
	}
	clear(w.c)
	vec.Gemm(w.c, size, w.rows, width, 1, w.anchorsT, size, q, m, width)
	if t.batch.starts == nil {
		t.logits(n, m, 0, w, width) // the positive's own logit is 0
		t.softmax(from, m, w)
	} else {
		t.logits(n, m, -math.MaxFloat32, w, width)
		t.softmaxOfParts(from, m, s.x, w, width)
	}

	// The gradients of the anchors, and as terms those of the positives and negatives.
	for i := range m {
		grad := vec.Row(t.dense, a+from+i, width)
		clear(grad)
		first, last := t.batch.of(from + i)
		for pair := first; pair < last; pair++ {
			p, cp := t.batch.positive[pair], w.cp[pair-firstPair]
			vec.Axpy(-2*cp, vec.Row(s.x, int(p), width), grad)
			terms := t.terms[pair*t.perPair():]
			terms[0] = noTerm
			if r := t.batch.anchor[from+i]; r >= 0 && pair == first {
				terms[0] = term{row: r, src: int32(a + from + i), coef: 1}
			}
			terms[1] = term{row: p, src: int32(from + i), coef: -2 * cp, self: 2 * cp}
		}
	}
	vec.Gemm(t.dense[(a+from)*width:(a+to)*width], width, w.c, 1, size, w.rows, width, m, width, q)
	own := t.dense[(2*a+n*q)*width : (2*a+(n+1)*q)*width]
	clear(own)
	vec.Gemm(own, width, w.c, size, 1, anchors, width, q, width, m)
	terms := t.terms[len(t.batch.positive)*t.perPair()+n*q:]
	for k, r := range negatives {
		var total float32
		for _, c := range w.c[k*size : k*size+m] {
			total += c
		}
		terms[k] = term{row: r, src: int32(2*a + n*q + k), coef: 1, self: -total}
	}
}

// gather lays out the block's rows for the products.
func (w *block) gather(anchors []float32, negatives []int32, x []float32, m, size, width int) {
	q := len(negatives)
	w.anchorsT, w.rows, w.c = resize(w.anchorsT, width*size), resize(w.rows, q*width), resize(w.c, q*size)
	w.top, w.sum, w.base = resize(w.top, size), resize(w.sum, size), resize(w.base, size)
	for i := range m {
		for d, v := range vec.Row(anchors, i, width) {
			w.anchorsT[d*size+i] = v
		}
	}
	for k, r := range negatives {
		copy(vec.Row(w.rows, k, width), vec.Row(x, int(r), width))
	}
}

// logits turns the products of block n in w.c into logits (d_p − d_k)/τ of the anchor's first positive p, −∞ for items
// that the user likes. It sets w.top to the largest logit of each anchor, at least least.
func (t *task) logits(n, m int, least float32, w *block, width int) {
	size, q := t.batch.shared.size, t.batch.q
	inv := 1 / t.loss.Temperature
	for i := range w.top {
		w.top[i] = least
	}
	for _, at := range t.batch.shared.hide[n] {
		w.c[at] = float32(math.Inf(-1))
	}
	base, top := w.base[:m], w.top[:m]
	for k := range q {
		row := w.c[k*size : k*size+m]
		x := vec.Row(w.rows, k, width)
		norm := vec.Dot(x, x)
		for i, v := range row {
			v = (2*v + (base[i] - norm)) * inv
			row[i] = v
			if v > top[i] {
				top[i] = v
			}
		}
	}
}

// softmax turns the logits in w.c into 2·n_ik, and w.cp into c_p, both times the task's weight, and records the losses.
// from is the block's first pair.
func (t *task) softmax(from, m int, w *block) {
	size, q := t.batch.shared.size, t.batch.q
	inv, base, top := 1/t.loss.Temperature, w.base[:m], w.top[:m]
	for i := range m {
		w.sum[i] = vec.Exp(-w.top[i])
	}
	for k := range q {
		row := w.c[k*size : k*size+m]
		vec.Axpy(-1, top, row)
		vec.Exps(row, row)
		vec.Axpy(1, row, w.sum)
	}
	for i := range m {
		t.values[from+i] = (w.top[i] + float32(math.Log(float64(w.sum[i])))) * t.weight
		w.base[i] = inv / w.sum[i] * t.weight
		w.cp[i] = 0
	}
	sum := w.cp[:m]
	for k := range q {
		row := w.c[k*size : k*size+m]
		for i, v := range row {
			c := float32(v * base[i])
			sum[i] += c
			row[i] = 2 * c
		}
	}
}

// sampleShared draws the batch's shared negatives, Q different items per block (fewer only if the catalogue is
// smaller), and marks those that users like. A block draws from its own stream. O(B·n̄ + blocks·Q).
func (t *Trainer) sampleShared(task *task, from int) {
	batch, size, items := &task.batch, t.cfg.SharedNegatives, t.train.Cols
	b := len(batch.anchor)
	blocks := (b + size - 1) / size
	q := min(t.cfg.Negatives, items)
	batch.q = q
	batch.negative = vec.Resize(batch.negative, blocks*q)
	if batch.shared == nil {
		batch.shared = &shared{}
	}
	sh := batch.shared
	sh.size = size
	for len(sh.hide) < blocks {
		sh.hide = append(sh.hide, nil)
	}
	for len(t.places) < t.workers {
		t.places = append(t.places, make([]int32, items))
	}
	parallel.Do(t.workers, blocks, func(worker, _, first, last int) {
		var r training.Source
		place := t.places[worker] // item → position in the list + 1
		for n := first; n < last; n++ {
			r.Set(t.cfg.Seed, streamPair+userItem, t.counter(from+n*size))
			list := batch.negative[n*q : (n+1)*q]
			for k := range list {
				list[k] = drawNew(place, items, &r)
				place[list[k]] = int32(k + 1)
			}
			hide := sh.hide[n][:0]
			for i := n * size; i < min((n+1)*size, b); i++ {
				for _, item := range t.train.Row(int(batch.anchor[i])) {
					if k := place[item]; k > 0 {
						hide = append(hide, (k-1)*int32(size)+int32(i-n*size))
					}
				}
			}
			sh.hide[n] = hide
			for _, item := range list {
				place[item] = 0
			}
		}
	})
}

// drawNew draws an item that has no place yet: uniformly in eight tries; then, since almost all items have one, the
// next free item from a random start.
func drawNew(place []int32, items int, r *training.Source) int32 {
	for range 8 {
		if c := r.Below(items); place[c] == 0 {
			return int32(c)
		}
	}
	c := r.Below(items)
	for place[c] != 0 {
		c = (c + 1) % items
	}
	return int32(c)
}
