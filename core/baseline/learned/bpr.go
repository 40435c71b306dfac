package learned

import (
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// bpr is matrix factorisation learned by Bayesian personalised ranking: score(u,i) = w_u·h_i, and for each negative q of
// a positive p
//
//	L = softplus(−x) + λ(‖w_u‖² + ‖h_p‖² + ‖h_q‖²)/2,   x = w_u·(h_p − h_q)
//	∂L/∂w_u = −σ(−x)(h_p − h_q) + λw_u    ∂L/∂h_p = −σ(−x)w_u + λh_p    ∂L/∂h_q = σ(−x)w_u + λh_q
//
// Source: Rendle, Freudenthaler, Gantner, Schmidt-Thieme, "BPR: Bayesian Personalized Ranking from Implicit Feedback",
// UAI 2009, which regularises each triplet so; without item biases, as its matrix factorisation.
type bpr struct {
	users, items *Param
	lambda       float32
}

// initial is the deviation of embeddings at the start (paper, Section 4.3).
const initial = 0.01

func newBPR(train *dataset.Matrix, s Settings, own map[string]float64, r *rand.Rand) Model {
	return &bpr{
		users:  normal("users", train.Rows(), s.Dim, initial, r),
		items:  normal("items", train.Cols, s.Dim, initial, r),
		lambda: float32(own["regularizer"]),
	}
}

func (m *bpr) Params() []*Param { return []*Param{m.users, m.items} }

func (m *bpr) Bound(*Param, []float32) {}

func (m *bpr) Prepare(int, []Sample) float64 { return 0 }

func (m *bpr) Scorer(int) eval.Scorer { return products{m.users, m.items} }

func (m *bpr) Learn(g *Gradient, samples []Sample) (loss float64) {
	for _, s := range samples {
		w, p := m.users.Row(s.User), m.items.Row(s.Positive)
		gw, gp := g.Row(m.users, s.User), g.Row(m.items, s.Positive)
		score, norms := vec.Dot(w, p), vec.Dot(w, w)+vec.Dot(p, p)
		for _, n := range s.Negatives {
			q, gq := m.items.Row(n), g.Row(m.items, n)
			loss += above(score, w, p, q, gw, gp, gq) + float64(m.lambda)/2*float64(norms+vec.Dot(q, q))
			vec.Axpy(m.lambda, w, gw)
			vec.Axpy(m.lambda, p, gp)
			vec.Axpy(m.lambda, q, gq)
		}
	}
	return loss
}

// above returns softplus(−x), x = w·(p − q), and adds its gradient to gw, gp, gq. score is w·p.
func above(score float32, w, p, q, gw, gp, gq []float32) float64 {
	x := score - vec.Dot(w, q)
	c := vec.Sigmoid(-x)
	vec.Axpy(-c, p, gw)
	vec.Axpy(c, q, gw)
	vec.Axpy(-c, w, gp)
	vec.Axpy(c, w, gq)
	return float64(vec.Softplus(-x))
}

// products ranks by the dot product of rows.
type products struct{ users, items *Param }

func (s products) NumItems() int { return s.items.Rows }

func (s products) Score(user int, dst []float32) {
	vec.MatVec(dst[:s.items.Rows], s.items.Data, s.users.Row(int32(user)))
}

// nearness ranks by the squared distance of rows, the nearest first.
type nearness struct{ users, items *Param }

func (s nearness) NumItems() int { return s.items.Rows }

func (s nearness) Score(user int, dst []float32) {
	dst = dst[:s.items.Rows]
	vec.SquaredDistances(dst, s.users.Row(int32(user)), s.items.Data)
	for i, d := range dst {
		dst[i] = -d
	}
}
