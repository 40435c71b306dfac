package learned

import (
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// sml is symmetric metric learning: points in the unit ball, score(u,i) = −‖x_u − y_i‖², pushed apart from the user's
// and from the item's side. Each user and each item has its own learned margin. Over all pairs (u, p) and the negatives
// q of each:
//
//	L = Σ_(u,p) ( Σ_q ([D(u,p) − D(u,q) + m_u]₊ + λ[D(u,p) − D(p,q) + n_p]₊) − γ(m_u + n_p) ),   0 < m_u, n_p ≤ l
//
// A user's margin settles where γ of a pair's negatives lie within it, an item's where γ/λ do, or at l if a pair has
// fewer, as with the defaults. The paper's last term is −γ(Σ_u m_u/U + Σ_i n_i/I), which even with its γ of 10 is
// negligible against a sum over all triplets. Its authors' code has the form used here, with γ/512 for γ; the default
// was chosen by validation (core/lab/docs/baselines.md). Learn is O(B·n·d). Source: Li, Zhang, Zhang, Qin, Zhang, Hu,
// "Symmetric Metric Learning with Adaptive Margin for Recommendation", AAAI 2020.
type sml struct {
	users, items             *Param
	userMargins, itemMargins *Param // U×1 and I×1
	bound, lambda, gamma     float32
}

// leastMargin keeps a margin positive.
const leastMargin = 1e-3

func newSML(train *dataset.Matrix, s Settings, own map[string]float64, r *rand.Rand) Model {
	m := &sml{
		users:       normal("users", train.Rows(), s.Dim, initial, r),
		items:       normal("items", train.Cols, s.Dim, initial, r),
		userMargins: NewParam("users.margin", train.Rows(), 1),
		itemMargins: NewParam("items.margin", train.Cols, 1),
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

// Bound keeps a point in the unit ball and a margin between 0 and l.
func (m *sml) Bound(p *Param, row []float32) {
	if p.Cols == 1 && (p == m.userMargins || p == m.itemMargins) {
		row[0] = max(min(row[0], m.bound), leastMargin)
		return
	}
	gaussian.ScaleInto(row, 1)
}

func (m *sml) Scorer(int) eval.Scorer { return nearness{m.users, m.items} }

func (m *sml) Prepare(int, []Sample) float64 { return 0 }

func (m *sml) Learn(g *Gradient, samples []Sample) (loss float64) {
	for _, s := range samples {
		u, p := m.users.Row(s.User), m.items.Row(s.Positive)
		gu, gp := g.Row(m.users, s.User), g.Row(m.items, s.Positive)
		gm, gn := g.Row(m.userMargins, s.User), g.Row(m.itemMargins, s.Positive)
		loss -= float64(m.gamma * (m.userMargins.Data[s.User] + m.itemMargins.Data[s.Positive]))
		gm[0] -= m.gamma
		gn[0] -= m.gamma
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
