package pmlam

import (
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/margin"
)

// The smooth hinge (Config.Smooth), with δ = d_p − d_q and the temperature τ:
//
//	L = τ·softplus((δ+m)/τ)      ∂L/∂δ = c = σ((δ+m)/τ) ∈ (0, 1)
//
// The margin is constant in ∇_Θ: G = Σ c·∂_Θδ. So Φ acts through the weights c alone, without the noise in ∂m/∂s and
// without moving rows itself. With the printed hinge c is 0 or 1, and such a G would not depend on Φ at all. Here ∂c/∂m
// = c(1−c)/τ, and
//
//	∇_Φ J_outer = −(α/τ) Σ c(1−c)·(∂_Θδ·v)·∇_Φ m
//
// which only needs the network's first derivative. As τ → 0 the loss approaches the hinge.

// smoothHinge returns L and c_p = Σ c for one pair, and writes ∂L/∂d_q = −c to cq. margins is nil for the fixed one.
// O(Q).
func smoothHinge(dp float32, dq, margins []float32, fixed, tau float32, cq []float32) (value, cp float32) {
	inv := 1 / tau
	for i, d := range dq {
		m := fixed
		if margins != nil {
			m = margins[i]
		}
		var loss, c [1]float32
		vec.SoftplusSigmoids(loss[:], c[:], []float32{(dp - d + m) * inv})
		value += tau * loss[0]
		cp += c[0]
		cq[i] = -c[0]
	}
	return value, cp
}

// coefficients is gaussian.Loss.Coefficients of the inner loss.
func (t *task) coefficients(dp float32, dq, margins, cq []float32) (value, cp float32) {
	if t.smooth > 0 {
		return smoothHinge(dp, dq, margins, t.loss.Margin, t.smooth, cq)
	}
	return t.loss.Coefficients(dp, dq, margins, cq)
}

// constantMargins writes the terms, and the gradients of the anchors, of the pairs [from,to) with constant margins.
func (t *task) constantMargins(from, to int, s *step, w *workspace) {
	q := t.batch.q
	for i := from; i < to; i++ {
		t.edges(i, s.x, 2*s.half, w.dp[i-from], t.coef[i*q:(i+1)*q], w)
	}
}

// throughWeights adds ∇_Φ J_outer of the smooth hinge to out, with v (or v′, see across) in the step. With rows θ and v
// of a triplet (a,p,q)
//
//	∂_Θδ·v = 2(θ_a−θ_p)·(v_a−v_p) − 2(θ_a−θ_q)·(v_a−v_q) = 2(e_p − e_q)      e_x = θ_x·v_x − θ_a·v_x − v_a·θ_x
//
// so two products per row suffice. O(B·Q·H·h).
func (t *task) throughWeights(workers int, s *step, out *margin.Network) {
	q, width := t.batch.q, 2*s.half
	s.products = resize(s.products, len(s.entities))
	parallel.Do(workers, len(s.entities), func(_, _, from, to int) {
		for r := from; r < to; r++ {
			s.products[r] = vec.Dot(vec.Row(s.x, r, width), vec.Row(s.v, r, width))
		}
	})
	edge := func(a, x int32) float32 {
		return s.products[x] - vec.Dot(vec.Row(s.x, int(a), width), vec.Row(s.v, int(x), width)) -
			vec.Dot(vec.Row(s.v, int(a), width), vec.Row(s.x, int(x), width))
	}
	for i := range t.parts {
		t.parts[i].Reset(&t.kernel)
	}
	scale := -2 * t.stride * t.weight / t.smooth
	t.eachTile(workers, func(worker, chunk, tile, from, to int) {
		w := &t.work[worker]
		weights := w.weights[:(to-from)*q]
		for i := from; i < to; i++ {
			a := t.batch.anchor[i]
			toPositive := edge(a, t.batch.positive[i])
			for k, r := range t.negatives(i) {
				c := -t.coef[i*q+k] / t.weight
				weights[(i-from)*q+k] = scale * float32(c*(1-c)) * (toPositive - edge(a, r))
			}
		}
		m := &t.tiles[tile]
		w.margin.Reset(&t.kernel, m)
		t.kernel.First(m, &w.margin, weights, &t.parts[chunk])
	})
	for i := range t.parts { // in the order of chunks, for any number of workers
		t.parts[i].AddTo(out, &t.kernel)
	}
}
