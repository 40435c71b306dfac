package recommend

import (
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/margin"
)

// networkMargins fills w.margins with the network's margins at the means (ε = 0). Before its hidden layer the network
// is linear, with one part for the like and one for the negative. Each part is computed once, and a pair costs only its
// H hidden units: O((n+Q)·H·h + n·Q·H).
func (f *Inferrer) networkMargins(w *fold, likes [][]float32) {
	g, h, width := f.folded, len(w.theta)/2, len(w.theta)
	n, hidden := len(w.dq), g.H
	w.margins, w.shared = grow(w.margins, len(likes)*n), grow(w.shared, n*hidden)
	w.pair, w.z = grow(w.pair, 2*hidden), grow(w.z, len(g.P)/hidden)
	own, act := w.pair[:hidden], w.pair[hidden:]
	anchor := w.theta[:h]
	for k := range n {
		negativePart(w.z[:h], g.Input, anchor, w.neg[k*width:k*width+h])
		vec.MatVec(w.shared[k*hidden:(k+1)*hidden], g.Q, w.z[:h])
	}
	for j, p := range likes {
		pairPart(w.z, g.Input, anchor, p[:h])
		vec.MatVec(own, g.P, w.z)
		vec.Axpy(1, g.B1, own)
		for k := range n {
			part := w.shared[k*hidden : (k+1)*hidden]
			for i := range act {
				act[i] = vec.Tanh(own[i] + part[i])
			}
			w.margins[j*n+k] = vec.Softplus(vec.Dot(g.W2, act) + g.B2)
		}
	}
}

// pairPart writes r of margin.Folded, the part of the input that the visitor and a like share.
func pairPart(r []float32, in margin.Input, xa, xp []float32) {
	switch in {
	case margin.Difference:
		for i := range xa {
			y := xa[i] - xp[i]
			r[i] = float32(y * y)
		}
	case margin.Cat:
		copy(r, xa)
		copy(r[len(xa):], xp)
	case margin.Add:
		for i := range xa {
			r[i] = xa[i] + xp[i]
		}
	}
}

// negativePart writes z_q of margin.Folded, the part of the input that depends on the negative.
func negativePart(z []float32, in margin.Input, xa, xq []float32) {
	if in != margin.Difference {
		copy(z, xq)
		return
	}
	for i := range xa {
		d := xa[i] - xq[i]
		z[i] = float32(d * d)
	}
}
