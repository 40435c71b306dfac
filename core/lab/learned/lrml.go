package learned

import (
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// lrml is latent relational metric learning: users and items are points in the unit ball. A memory of N slots,
// addressed by user and item together through keys, makes a relation for each pair:
//
//	a = softmax((p ⊙ q)K)    r = aM    score(u,i) = −‖p + r − q‖²
//	L = Σ_n [m + ‖p + r − q‖² − ‖p' + r − q'‖²]₊
//
// with p the user, q the positive, q' each negative, p' = p (the authors sample the user's side too; here negatives are
// items), and r the positive pair's relation for both, as in their code. Source: Tay, Tuan, Hui, "Latent Relational
// Metric Learning via Memory-based Attention for Collaborative Ranking", WWW 2018. In ranking every item has its own
// relation.
//
// Unless learned, K and M stay as drawn, as in code that the first author published later (docs/baselines.md).
type lrml struct {
	users, items *Param
	keys         *Param // N×d: transpose of K
	slots        *Param // N×d: M
	margin       float32
	learned      bool // K and M are learned
}

func newLRML(train *dataset.Matrix, s Settings, own map[string]float64, r *rand.Rand) Model {
	n := int(own["memories"])
	return &lrml{
		users:   normal("users", train.Rows(), s.Dim, initial, r),
		items:   normal("items", train.Cols, s.Dim, initial, r),
		keys:    normal("keys", n, s.Dim, 1, r),
		slots:   normal("slots", n, s.Dim, initial, r),
		margin:  float32(own["margin"]),
		learned: own["learned"] == 1,
	}
}

func (m *lrml) Params() []*Param { return []*Param{m.users, m.items, m.keys, m.slots} }

// Bound keeps users and items in the unit ball.
func (m *lrml) Bound(p *Param, row []float32) {
	if p == m.users || p == m.items {
		gaussian.ScaleInto(row, 1)
	}
}

func (m *lrml) Prepare(int, []Sample) float64 { return 0 }

// relation holds the intermediate values of a pair's way through the memory.
type relation struct {
	joint, attention, r []float32 // d, N, d
}

func (m *lrml) newRelation() *relation {
	return &relation{make([]float32, m.users.Cols), make([]float32, m.keys.Rows), make([]float32, m.users.Cols)}
}

// relate computes the relation of p and q. O(N·d).
func (m *lrml) relate(x *relation, p, q []float32) {
	for e, v := range p {
		x.joint[e] = v * q[e]
	}
	vec.MatVec(x.attention, m.keys.Data, x.joint)
	top := x.attention[0]
	for _, a := range x.attention {
		top = max(top, a)
	}
	sum := float32(0)
	for k, a := range x.attention {
		x.attention[k] = vec.Exp(a - top)
		sum += x.attention[k]
	}
	clear(x.r)
	for k := range x.attention {
		x.attention[k] /= sum
		vec.Axpy(x.attention[k], m.slots.Row(int32(k)), x.r)
	}
}

// relateBack adds the gradients of the memory, p and q that follow from dr, the gradient of the relation. With t = M
// dr, ∂L/∂(logits)_k = a_k(t_k − Σ a t). keys and slots are nil if the memory is not learned. O(N·d).
func (m *lrml) relateBack(x *relation, dr, p, q, gp, gq, keys, slots []float32) {
	d := len(dr)
	t := make([]float32, len(x.attention))
	vec.MatVec(t, m.slots.Data, dr)
	mean := vec.Dot(t, x.attention)
	joint := make([]float32, d)
	for k, a := range x.attention {
		s := a * (t[k] - mean)
		if m.learned {
			vec.Axpy(a, dr, slots[k*d:(k+1)*d])
			vec.Axpy(s, x.joint, keys[k*d:(k+1)*d])
		}
		vec.Axpy(s, m.keys.Row(int32(k)), joint)
	}
	for e, v := range joint {
		gp[e] += v * q[e]
		gq[e] += v * p[e]
	}
}

func (m *lrml) Learn(g *Gradient, samples []Sample) (loss float64) {
	d := m.users.Cols
	x := m.newRelation()
	var keys, slots []float32
	if m.learned {
		keys, slots = g.All(m.keys), g.All(m.slots)
	}
	near, far, dr := make([]float32, d), make([]float32, d), make([]float32, d)
	for _, s := range samples {
		p, q := m.users.Row(s.User), m.items.Row(s.Positive)
		m.relate(x, p, q)
		for e := range near {
			near[e] = p[e] + x.r[e] - q[e]
		}
		distance := vec.Dot(near, near)
		gp, gq := g.Row(m.users, s.User), g.Row(m.items, s.Positive)
		clear(dr)
		active := false
		for _, n := range s.Negatives {
			other := m.items.Row(n)
			for e := range far {
				far[e] = p[e] + x.r[e] - other[e]
			}
			hinge := m.margin + distance - vec.Dot(far, far)
			if hinge <= 0 {
				continue
			}
			active = true
			loss += float64(hinge)
			gn := g.Row(m.items, n)
			for e := range far {
				dr[e] += 2 * (near[e] - far[e])
				gq[e] -= 2 * near[e]
				gn[e] += 2 * far[e]
			}
		}
		if active {
			vec.Axpy(1, dr, gp) // p enters the distances as r does
			m.relateBack(x, dr, p, q, gp, gq, keys, slots)
		}
	}
	return loss
}

// lrmlScores ranks by lrml's formula. It computes relate for a block of items by matrix products: for user p, the
// logits (p ⊙ q)K of all q are Q(p ⊙ K), and their relations AM.
type lrmlScores struct {
	m      *lrml
	spares *spares[lrmlSpare]
}

type lrmlSpare struct {
	user      []float32 // atOnce×d: p in every row
	keys      []float32 // d×N: p ⊙ K
	attention []float32 // atOnce×N
	r         []float32 // atOnce×d: p + r − q
}

func (m *lrml) Scorer(int) eval.Scorer {
	d, n := m.users.Cols, m.keys.Rows
	return lrmlScores{m, newSpares(func() *lrmlSpare {
		return &lrmlSpare{make([]float32, atOnce*d), make([]float32, d*n), make([]float32, atOnce*n),
			make([]float32, atOnce*d)}
	})}
}

func (s lrmlScores) NumItems() int { return s.m.items.Rows }

// Score passes all items. O(I·N·d).
func (s lrmlScores) Score(user int, dst []float32) {
	d, n := s.m.users.Cols, s.m.keys.Rows
	x, p := s.spares.take(), s.m.users.Row(int32(user))
	defer s.spares.put(x)
	vec.Spread(x.user, p)
	for k := range n {
		for e, v := range s.m.keys.Row(int32(k)) {
			x.keys[e*n+k] = p[e] * v
		}
	}
	blocks(dst[:s.NumItems()], func(from, to int, dst []float32) {
		rows, q := to-from, s.m.items.Data[from*d:to*d]
		a := x.attention[:rows*n]
		clear(a)
		vec.Gemm(a, n, q, d, 1, x.keys, n, rows, n, d)
		softmaxes(a, n)
		r := x.r[:rows*d]
		copy(r, x.user)
		vec.Axpy(-1, q, r)
		vec.Gemm(r, d, a, n, 1, s.m.slots.Data, d, rows, d, n)
		farthest(dst, r, d)
	})
}

// softmaxes applies the softmax to every row of n logits.
func softmaxes(x []float32, n int) {
	for from := 0; from < len(x); from += n {
		row := x[from : from+n]
		top := row[0]
		for _, v := range row {
			if v > top {
				top = v
			}
		}
		for k := range row {
			row[k] -= top
		}
	}
	vec.Exps(x, x)
	for from := 0; from < len(x); from += n {
		row := x[from : from+n]
		sum := float32(0)
		for _, v := range row {
			sum += v
		}
		for k := range row {
			row[k] /= sum
		}
	}
}
