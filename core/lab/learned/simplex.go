package learned

import (
	"math"
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/training"
)

// simplex is matrix factorisation by cosines (turning), learned by the cosine contrastive loss with many negatives.
// With f_i the cosine of h_u and y_i,
//
//	h_u = γx_u + (1 − γ)·V·a_u,   a_u the mean of y_i over S_u
//	L = [1 − f_p]₊ + w/Q·Σ_q [f_q − m]₊
//
// so only negatives with a cosine above the margin m count. Rows x_u and y_i enter h_u by their directions too, where
// the source uses them as they are. Training has dropout on the direction of h_u: in each sample some of its values are
// 0 and the others scaled up to match.
//
// Source: Mao, Zhu, Wang, Dai, Dong, Xiao, He, "SimpleX: A Simple and Strong Baseline for Collaborative Filtering",
// CIKM 2021, with average pooling.
type simplex struct {
	users, items   *Param
	directions     *Param  // of h_u: users where γ is 1
	margin, weight float32 // m, w
	keep           float32 // share of values that dropout keeps
	seed           uint64
}

func newSimpleX(train *dataset.Matrix, s Settings, own map[string]float64, r *rand.Rand) Model {
	m := &simplex{
		users: turning("users", train.Rows(), s.Dim, r), items: turning("items", train.Cols, s.Dim, r),
		margin: float32(own["margin"]), weight: float32(own["weight"]),
		keep: float32(1 - own["dropout"]), seed: s.Seed,
	}
	m.directions = m.users
	if own["gamma"] < 1 {
		return newPooled(m, train, float32(own["gamma"]), r)
	}
	return m
}

func (m *simplex) Params() []*Param { return []*Param{m.users, m.items} }

func (m *simplex) Bound(*Param, []float32) {}

func (m *simplex) Prepare(int, []Sample) float64 { return 0 }

func (m *simplex) Scorer(int) eval.Scorer { return products{m.directions, m.items} }

// Learn costs O(Q·d) a sample.
func (m *simplex) Learn(g *Gradient, samples []Sample) (loss float64) {
	var r training.Source
	var above []int32 // negatives above the margin
	var weights []float32
	for _, s := range samples {
		u, f := m.directions.Row(s.User), g.take(len(s.Negatives))
		var factors []float32
		if m.keep < 1 {
			r.Set(m.seed, streamDropout, s.Counter)
			factors = g.take(len(u))
			dropout(factors, m.keep, &r)
			dropped := g.take(len(u))
			copy(dropped, u)
			times(dropped, factors)
			u = dropped
		}
		dots(f, u, m.items, s.Negatives)
		above, weights = above[:0], weights[:0]
		c := m.weight / float32(len(f))
		for k, x := range f {
			if x > m.margin {
				above, weights = append(above, s.Negatives[k]), append(weights, c)
				g.AddScaled(m.items, s.Negatives[k], c, u)
				loss += float64(c * (x - m.margin))
			}
		}
		gu := g.Row(m.directions, s.User)
		vec.AccumulateRows(gu, weights, m.items.Data, above)
		if x := vec.Dot(u, m.items.Row(s.Positive)); x < 1 {
			loss += float64(1 - x)
			vec.Axpy(-1, m.items.Row(s.Positive), gu)
			g.AddScaled(m.items, s.Positive, -1, u)
		}
		if factors != nil {
			times(gu, factors)
		}
	}
	return loss
}

// pooled is a simplex with γ < 1. Values made for a batch are indexed by the user's place in batch.
type pooled struct {
	*simplex
	train, likers *dataset.Matrix // U×I and its transpose
	v             *Param          // d×d
	gamma         float32         // γ
	lengths       []float32       // U: ‖h_u‖, for users with a computed direction

	batch   []int32   // its users, without repeats
	at      []int32   // U: a user's place in batch; −1: absent
	means   []float32 // len(batch)×d: a_u
	dh      []float32 // len(batch)×d: ∂L/∂h_u
	toItems []float32 // len(batch)×d: (1 − γ)/|S_u|·Vᵀ ∂L/∂h_u
	dv      []float32 // d×d: ∂L/∂V
}

func newPooled(m *simplex, train *dataset.Matrix, gamma float32, r *rand.Rand) *pooled {
	users, d := train.Rows(), m.users.Cols
	m.directions = NewDerived("users.directions", users, d)
	p := &pooled{
		simplex: m, train: train, likers: train.Transpose(), v: NewParam("V", d, d), gamma: gamma,
		lengths: make([]float32, users), at: make([]int32, users), dv: make([]float32, d*d),
	}
	for u := range p.at {
		p.at[u] = -1
	}
	bound := 1 / math.Sqrt(float64(d))
	for k := range p.v.Data {
		p.v.Data[k] = float32((2*r.Float64() - 1) * bound)
	}
	return p
}

var _ Deriver = (*pooled)(nil)

func (m *pooled) Params() []*Param { return []*Param{m.users, m.items, m.v} }

// Derived returns the directions of the h_u.
func (m *pooled) Derived() []*Param { return []*Param{m.directions} }

// Prepare computes the directions of the batch's users.
func (m *pooled) Prepare(workers int, samples []Sample) float64 {
	for _, u := range m.batch {
		m.at[u] = -1
	}
	m.batch = m.batch[:0]
	for _, s := range samples {
		if m.at[s.User] < 0 {
			m.at[s.User] = int32(len(m.batch))
			m.batch = append(m.batch, s.User)
		}
	}
	m.direct(workers, m.batch)
	return 0
}

// direct computes the directions of these users' h_u, and their a_u. O(Σ|S_u|·d + len(users)·d²).
func (m *pooled) direct(workers int, users []int32) {
	d := m.users.Cols
	m.means = sized(m.means, len(users)*d)
	parallel.Do(workers, len(users), func(_, _, from, to int) {
		for k := from; k < to; k++ {
			u := users[k]
			own, mean, h := m.train.Row(int(u)), vec.Row(m.means, k, d), m.directions.Row(u)
			clear(mean)
			for _, i := range own {
				vec.Axpy(1/float32(len(own)), m.items.Row(i), mean)
			}
			vec.MatVec(h, m.v.Data, mean)
			for e, x := range m.users.Row(u) {
				h[e] = float32(m.gamma*x) + float32((1-m.gamma)*h[e])
			}
			m.lengths[u] = normalise(h)
		}
	})
}

// Propagate takes the gradient of users' directions ĥ back to h, (g − (ĥ·g)ĥ)/‖h‖, and on to their items and V.
// O(len(batch)·d²).
func (m *pooled) Propagate(workers int) {
	n, d := len(m.batch), m.users.Cols
	m.dh, m.toItems = sized(m.dh, n*d), sized(m.toItems, n*d)
	clear(m.dh)
	clear(m.toItems)
	parallel.Do(workers, n, func(_, _, from, to int) {
		for k := from; k < to; k++ {
			u := m.batch[k]
			g, h, dh, back := m.directions.Sum(u), m.directions.Row(u), vec.Row(m.dh, k, d), vec.Row(m.toItems, k, d)
			if m.lengths[u] == 0 {
				continue
			}
			vec.Axpy(1/m.lengths[u], g, dh)
			vec.Axpy(-vec.Dot(h, g)/m.lengths[u], h, dh)
			share := (1 - m.gamma) / float32(len(m.train.Row(int(u))))
			for e, x := range dh {
				vec.Axpy(share*x, m.v.Row(int32(e)), back)
			}
		}
	})
	clear(m.dv)
	vec.Gemm(m.dv, d, m.dh, 1, d, m.means, d, d, d, n)
}

// Derive adds the gradient that comes through h_u. O(|U_i|·d) an item.
func (m *pooled) Derive(g *Gradient, p *Param, row int32) {
	switch p {
	case m.users:
		if k := m.at[row]; k >= 0 {
			g.AddScaled(p, row, m.gamma, vec.Row(m.dh, int(k), p.Cols))
		}
	case m.items:
		var own []float32
		for _, u := range m.likers.Row(int(row)) {
			if k := m.at[u]; k >= 0 {
				if own == nil {
					own = g.Row(p, row)
				}
				vec.Axpy(1, vec.Row(m.toItems, int(k), p.Cols), own)
			}
		}
	case m.v:
		g.AddScaled(p, row, 1-m.gamma, vec.Row(m.dv, int(row), p.Cols))
	}
}

// Scorer computes all directions. O(nnz·d + U·d²).
func (m *pooled) Scorer(workers int) eval.Scorer {
	all := make([]int32, m.users.Rows)
	for u := range all {
		all[u] = int32(u)
	}
	m.direct(workers, all)
	return m.simplex.Scorer(workers)
}
