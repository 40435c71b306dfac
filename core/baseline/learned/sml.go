package learned

import (
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// sml is symmetric metric learning: points in the unit ball, score(u,i) = −‖x_u − y_i‖², pushed apart from the user's and
// from the item's side, each user and each item with a margin of its own that is learned too:
//
//	L = [D(u,p) − D(u,q) + m_u]₊ + λ[D(u,p) − D(p,q) + n_p]₊ − γ(Σ_u m_u/U + Σ_i n_i/I),   0 < m_u, n_i ≤ l
//
// The last term is taken of the batch's users and positive items, once a batch, so that a step touches its own rows only.
// Source: Li, Zhang, Zhang, Qin, Zhang, Hu, "Symmetric Metric Learning with Adaptive Margin for Recommendation", AAAI 2020.
type sml struct {
	users, items             *Param
	userMargins, itemMargins *Param // U×1 and I×1
	bound, lambda, gamma     float32

	userSamples, itemSamples []int32 // U and I: how many of the batch's samples have them
}

// leastMargin keeps a margin positive.
const leastMargin = 1e-3

func newSML(train *dataset.Matrix, s Settings, own map[string]float64, r *rand.Rand) Model {
	m := &sml{
		users:       normal("users", train.Rows(), s.Dim, initial, r),
		items:       normal("items", train.Cols, s.Dim, initial, r),
		userMargins: NewParam("users.margin", train.Rows(), 1),
		itemMargins: NewParam("items.margin", train.Cols, 1),
		userSamples: make([]int32, train.Rows()),
		itemSamples: make([]int32, train.Cols),
		bound:       float32(own["bound"]), lambda: float32(own["item"]), gamma: float32(own["margins"]),
	}
	for _, p := range []*Param{m.userMargins, m.itemMargins} {
		for e := range p.Data {
			p.Data[e] = m.bound
		}
	}
	return m
}

func (m *sml) Params() []*Param {
	return []*Param{m.users, m.items, m.userMargins, m.itemMargins}
}

// Bound holds a point in the unit ball and a margin between 0 and l.
func (m *sml) Bound(p *Param, row []float32) {
	if p.Cols == 1 && (p == m.userMargins || p == m.itemMargins) {
		row[0] = max(min(row[0], m.bound), leastMargin)
		return
	}
	gaussian.ScaleInto(row, 1)
}

func (m *sml) Scorer(int) eval.Scorer { return nearness{m.users, m.items} }

// Prepare counts the batch's users and positive items, so that the samples that share one share its margin's term.
// O(U + I + B).
func (m *sml) Prepare(_ int, samples []Sample) (loss float64) {
	clear(m.userSamples)
	clear(m.itemSamples)
	for _, s := range samples {
		m.userSamples[s.User]++
		m.itemSamples[s.Positive]++
	}
	for _, side := range []struct {
		margins *Param
		counts  []int32
	}{{m.userMargins, m.userSamples}, {m.itemMargins, m.itemSamples}} {
		for e, n := range side.counts {
			if n > 0 {
				loss -= float64(m.gamma) * float64(side.margins.Data[e]) / float64(side.margins.Rows)
			}
		}
	}
	return loss
}

func (m *sml) Learn(g *Gradient, samples []Sample) (loss float64) {
	for _, s := range samples {
		u, p := m.users.Row(s.User), m.items.Row(s.Positive)
		gu, gp := g.Row(m.users, s.User), g.Row(m.items, s.Positive)
		gm, gn := g.Row(m.userMargins, s.User), g.Row(m.itemMargins, s.Positive)
		gm[0] -= m.gamma / float32(m.users.Rows*int(m.userSamples[s.User]))
		gn[0] -= m.gamma / float32(m.items.Rows*int(m.itemSamples[s.Positive]))
		near := vec.SquaredDistance(u, p)
		for _, n := range s.Negatives {
			q := m.items.Row(n)
			fromUser := near - vec.SquaredDistance(u, q) + m.userMargins.Data[s.User]
			fromItem := near - vec.SquaredDistance(p, q) + m.itemMargins.Data[s.Positive]
			if fromUser <= 0 && fromItem <= 0 {
				continue
			}
			gq := g.Row(m.items, n)
			if fromUser > 0 {
				loss += float64(fromUser)
				gm[0]++
				apart(1, u, p, q, gu, gp, gq)
			}
			if fromItem > 0 {
				loss += float64(m.lambda * fromItem)
				gn[0] += m.lambda
				apart(m.lambda, p, u, q, gp, gu, gq)
			}
		}
	}
	return loss
}
