package pmlam

import (
	"github.com/pmlam/pmlam/core/loss"
	"github.com/pmlam/pmlam/core/margin"
)

// outerMargin is the fixed margin of the outer loss ("For simplicity, the m of L_Fix in J_outer is set to 1").
const outerMargin = 1

// outer returns J_outer at the proxy and ∇_Φ J_outer without the regulariser, both for this task, which must have a
// network and have run inner on x giving grad. proxy and v are T×2h working memory.
//
//	Θ̃ = Θ − α·grad      v = ∇_Θ̃ J_outer(Θ̃)      ∇_Φ J_outer = −α Σ_{active t} ∇_Φ(∇_Θ m_t · v)
//
// J_outer is the hinge with the fixed margin 1 on the same triplets (Eqs. 9, 10). The sum runs over the triplets that
// are active in the inner loss: only through their margins does Φ reach the proxy. O(B·Q·H·h).
func (t *task) outer(workers int, x, grad, proxy, v []float32, width int, alpha float32, out *margin.Network) float64 {
	fixed := loss.Loss{Kind: loss.Hinge, Margin: outerMargin}
	b, q, h := len(t.batch.positive), t.batch.q, width/2
	parallel(workers, len(x), func(_, _, from, to int) {
		for i := from; i < to; i++ {
			proxy[i] = x[i] - alpha*grad[i]
		}
	})
	parallel(workers, b, func(worker, _, from, to int) {
		w := &t.work[worker]
		for i := from; i < to; i++ {
			anchor := rowOf(t.dense, i, width)
			copy(anchor, rowOf(proxy, int(t.batch.anchor[i]), width))
			dp := t.distances(anchor, i, proxy, width, w.dq)
			value, cp := fixed.Coefficients(dp, w.dq, nil, w.cq)
			t.values[i] = value * t.weight
			cp *= t.weight
			for k := range w.cq {
				w.cq[k] *= t.weight
			}
			rest := t.edges(t.terms[i*t.perPair():], i, proxy, width, cp, w.cq)
			for k := range rest[:1+q] {
				rest[k] = none
			}
		}
	})
	t.sums.sum(workers, t.terms, proxy, t.dense, v, width, t.used(width))

	for _, part := range t.parts {
		part.Clear()
	}
	parallel(workers, b, func(worker, chunk, from, to int) {
		w := &t.work[worker]
		for i := from; i < to; i++ {
			coef := t.coef[i*q : (i+1)*q]
			active := false
			for k, c := range coef {
				w.weights[k] = alpha * c // −α·(∂J/∂m), as ∂J/∂m = −c
				active = active || c != 0
			}
			if !active {
				continue
			}
			t.lower(w.dxa, rowOf(v, int(t.batch.anchor[i]), width), t.noise(i, 0, h))
			t.lower(w.dxp, rowOf(v, int(t.batch.positive[i]), width), t.noise(i, 1, h))
			for k, r := range t.batch.negative[i*q : (i+1)*q] {
				if coef[k] != 0 {
					t.lower(w.vq[k*h:(k+1)*h], rowOf(v, int(r), width), t.noise(i, 2+k, h))
				}
			}
			t.folded.Directional(t.mem[i], w.weights, w.dxa, w.dxp, w.vq, t.parts[chunk], &w.scratch)
		}
	})
	for _, part := range t.parts { // in the chunks' order, whoever filled them
		part.AddTo(out)
	}
	var total float64
	for _, value := range t.values {
		total += float64(value)
	}
	return total
}

// lower writes v' = v_μ + v_s⊙ε, the transpose of lift.
func (t *task) lower(dst, row, eps []float32) {
	h := len(dst)
	copy(dst, row[:h])
	if eps == nil || t.points {
		return
	}
	for d := range h {
		dst[d] += float32(row[h+d] * eps[d])
	}
}

// learn moves Φ one Adam step along grad + 2λΦ. n counts steps from 1. grad is changed.
func (t *task) learn(grad *margin.Network, lr, lambda float64, n int) {
	step, eps := rate(lr, n)
	at := 0
	var gradients [][]float32
	grad.Parameters(func(_ string, g []float32) { gradients = append(gradients, append([]float32(nil), g...)) })
	k := 0
	t.net.Parameters(func(_ string, x []float32) {
		g := gradients[k]
		for i := range g {
			g[i] += float32(2*lambda) * x[i]
		}
		update(x, g, t.opt.m[at:at+len(x)], t.opt.v[at:at+len(x)], step, eps)
		at += len(x)
		k++
	})
}
