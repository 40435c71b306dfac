package pmlam

import (
	"math"

	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/training"
)

// A user's likes can be learned in parts. In every epoch they are cut at random into Config.UserParts parts, and the
// pairs of a part P share one anchor, the user composed of the other parts. So an anchor is composed, and its distances
// are computed, once per part instead of once per like. With S = Σ_k exp(−d_k/τ) over the negatives that the block's
// anchors share, the loss of a part is
//
//	L = |P|^−β Σ_{p∈P} log(1 + exp(d_p/τ)·S)
//
// and with w_p = |P|^−β/(exp(−d_p/τ) + S) its gradients are
//
//	∂L/∂d_p = S·w_p/τ    ∂L/∂d_k = −exp(−d_k/τ)·Σ_p w_p/τ
//
// With 0 < q ≤ 1 (Config.LossPower) the generalised cross-entropy (1−P^q)/q takes the place of −log P, where P =
// 1/(1 + exp(d_p/τ)·S) is the probability of p among the negatives (Zhang and Sabuncu, 2018). It multiplies w_p by P^q:
// a like that the user's other likes do not explain, such as a gift, hardly moves any row. SL@K's weights (KDD 2025)
// fall in the same way with a like's place below the user's first K.
//
// Visitors are composed of all their likes, so the number of parts should not be small: with five, four fifths of the
// likes remain.

// joinParts gives the pairs of a part one anchor. It reduces the users of a batch's pairs to one per part, and returns
// them with the first pair of each, followed by the number of pairs, reusing the memory of users and starts. A part is
// a stretch of a user's adjacent pairs, up to the maximum size of a part. A part that the end of the batch cuts becomes
// two, each composed with the other's items. O(B).
func (t *Trainer) joinParts(users, starts []int32) (anchors, firstPairs []int32) {
	anchors, starts = users[:0], starts[:0]
	size, n := 0, len(users)
	for i, u := range users {
		last := len(anchors) - 1
		if last < 0 || anchors[last] != u || i-int(starts[last]) == size {
			anchors, starts = append(anchors, u), append(starts, int32(i))
			size = training.PartSize(len(t.train.Row(int(u))), t.cfg.UserParts)
		}
	}
	return anchors, append(starts, int32(n))
}

// meanPart returns the mean number of likes in a part, rounded down; 1 if likes are learned separately. A relation's
// pair costs as much as an anchor, so there is one for every meanPart likes, with proportionally more weight. The mean
// gradient is the same, whereas a pair per like would dominate a step. O(nnz).
func (t *Trainer) meanPart() int {
	if t.cfg.UserParts == 0 {
		return 1
	}
	parts := 0
	for first, last := 0, 0; first < len(t.pairs); first = last {
		for last < len(t.pairs) && t.pairs[last].Row == t.pairs[first].Row {
			last++
		}
		size := training.PartSize(last-first, t.cfg.UserParts)
		parts += (last - first + size - 1) / size
	}
	return max(len(t.pairs)/max(parts, 1), 1)
}

// softmaxOfParts is softmax for anchors with any number of pairs: it turns the logits in w.c into 2·n_ik and w.cp into
// c_p. from is the block's first anchor. w.top is the largest logit of an anchor's negatives, so S, relative to it, is
// at least 1, and no positive overflows at any distance.
func (t *task) softmaxOfParts(from, m int, x []float32, w *block, width int) {
	size, q := t.batch.shared.size, t.batch.q
	inv, top, sum := 1/t.loss.Temperature, w.top[:m], w.sum[:m]
	clear(sum)
	for k := range q {
		row := w.c[k*size : k*size+m]
		vec.Axpy(-1, top, row)
		vec.Exps(row, row)
		vec.Axpy(1, row, sum)
	}
	firstPair, _ := t.batch.of(from)
	for i := range m {
		anchor := vec.Row(t.dense, from+i, width)
		norm := vec.Dot(anchor, anchor)
		first, last := t.batch.of(from + i)
		weight := t.weight * float32(vec.Pow(float64(last-first), -t.discount))
		var scale float32 // Σ_p 2w_p
		for p := first; p < last; p++ {
			d := vec.SquaredDistance(anchor, vec.Row(x, int(t.batch.positive[p]), width)) - norm
			own := (w.base[i]-d)*inv - top[i] // the positive's logit
			var loss, share float32           // log(1 + S·e^−own), 1/(e^own + S)
			if own > 0 {
				e := vec.Exp(-own)
				loss = float32(math.Log1p(float64(sum[i] * e)))
				share = e / (1 + float32(sum[i]*e))
			} else {
				all := vec.Exp(own) + sum[i]
				loss = float32(math.Log(float64(all))) - own
				share = 1 / all
			}
			share *= inv * weight
			if t.power > 0 {
				tail := vec.Exp(-t.power * loss) // P^q
				share *= tail
				loss = (1 - tail) / t.power
			}
			t.values[p] = loss * weight
			w.cp[p-firstPair] = sum[i] * share
			scale += 2 * share
		}
		w.base[i] = scale
	}
	for k := range q {
		row := w.c[k*size : k*size+m]
		for i, v := range row {
			row[i] = v * w.base[i]
		}
	}
}
