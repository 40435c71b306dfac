package learned

import (
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// neumf is neural matrix factorisation, NCF's model: a product of embeddings (GMF) and a perceptron over two others
// (MLP), joined by one output:
//
//	x_ui = w·[p_u ⊙ q_i; h₂] + b,   h₁ = relu([m_u; n_i]W₁ + b₁),   h₂ = relu(h₁W₂ + b₂)
//	L = softplus(−x_up) + Σ_q softplus(x_uq)
//
// which is the cross-entropy of the likes and the sampled non-likes; score(u,i) = x_ui. All embeddings have d
// dimensions, the layers d and d/2. There is no pretraining of the two parts. Source: He, Liao, Zhang, Nie, Hu, Chua,
// "Neural Collaborative Filtering", WWW 2017.
type neumf struct {
	users, items       *Param // GMF: U×d, I×d
	userInput, itemIn  *Param // MLP: U×d, I×d
	first, second, out layer
	spares             *spares[pass]
}

func newNeuMF(train *dataset.Matrix, s Settings, _ map[string]float64, r *rand.Rand) Model {
	half := max(1, s.Dim/2)
	return &neumf{
		users:     normal("users", train.Rows(), s.Dim, initial, r),
		items:     normal("items", train.Cols, s.Dim, initial, r),
		userInput: normal("users.mlp", train.Rows(), s.Dim, initial, r),
		itemIn:    normal("items.mlp", train.Cols, s.Dim, initial, r),
		first:     newLayer("first", 2*s.Dim, s.Dim, r),
		second:    newLayer("second", s.Dim, half, r),
		out:       newLayer("out", s.Dim+half, 1, r),
		spares:    newSpares(func() *pass { return new(pass) }),
	}
}

func (m *neumf) Params() []*Param {
	return []*Param{m.users, m.items, m.userInput, m.itemIn, m.first.w, m.first.b, m.second.w, m.second.b, m.out.w,
		m.out.b}
}

func (m *neumf) Bound(*Param, []float32) {}

func (m *neumf) Prepare(int, []Sample) float64 { return 0 }

// pass holds the intermediate values of n pairs, forward and, as d…, backward.
type pass struct {
	users, items               []int32   // n
	sign                       []float32 // n; −1: a like, 1: not
	in, h1, joined             []float32 // n×2d, n×d, n×(d + d/2): the product, then h₂
	h2                         []float32 // n×d/2
	x                          []float32 // n
	dIn, dH1, dJoined, dH2, dX []float32
}

// forward computes the pairs' outputs. O(n·d²).
func (m *neumf) forward(p *pass) {
	d, half, n := m.users.Cols, m.second.out, len(p.users)
	p.in, p.h1, p.h2 = sized(p.in, n*2*d), sized(p.h1, n*d), sized(p.h2, n*half)
	p.joined, p.x = sized(p.joined, n*(d+half)), sized(p.x, n)
	for k, u := range p.users {
		i := p.items[k]
		copy(p.in[k*2*d:], m.userInput.Row(u))
		copy(p.in[k*2*d+d:], m.itemIn.Row(i))
		product, a, b := p.joined[k*(d+half):], m.users.Row(u), m.items.Row(i)
		for e, v := range a {
			product[e] = v * b[e]
		}
	}
	m.first.forward(p.h1, p.in, n)
	rectify(p.h1)
	m.second.forward(p.h2, p.h1, n)
	rectify(p.h2)
	for k := range n {
		copy(p.joined[k*(d+half)+d:(k+1)*(d+half)], p.h2[k*half:])
	}
	m.out.forward(p.x, p.joined, n)
}

func (m *neumf) Learn(g *Gradient, samples []Sample) (loss float64) {
	p := m.spares.take()
	defer m.spares.put(p)
	p.users, p.items, p.sign = p.users[:0], p.items[:0], p.sign[:0]
	for _, s := range samples {
		p.users, p.items, p.sign = append(p.users, s.User), append(p.items, s.Positive), append(p.sign, -1)
		for _, q := range s.Negatives {
			p.users, p.items, p.sign = append(p.users, s.User), append(p.items, q), append(p.sign, 1)
		}
	}
	m.forward(p)
	d, half, n := m.users.Cols, m.second.out, len(p.users)
	p.dX, p.dJoined, p.dH2 = sized(p.dX, n), sized(p.dJoined, n*(d+half)), sized(p.dH2, n*half)
	p.dH1, p.dIn = sized(p.dH1, n*d), sized(p.dIn, n*2*d)
	for k, x := range p.x {
		loss += float64(vec.Softplus(p.sign[k] * x))
		p.dX[k] = p.sign[k] * vec.Sigmoid(p.sign[k]*x)
	}
	m.out.backward(g, p.dJoined, p.dX, p.joined, n)
	for k := range n {
		copy(p.dH2[k*half:(k+1)*half], p.dJoined[k*(d+half)+d:])
	}
	unrectify(p.dH2, p.h2)
	m.second.backward(g, p.dH1, p.dH2, p.h1, n)
	unrectify(p.dH1, p.h1)
	m.first.backward(g, p.dIn, p.dH1, p.in, n)
	for k, u := range p.users {
		i := p.items[k]
		gu, gi, product := g.Row(m.users, u), g.Row(m.items, i), p.dJoined[k*(d+half):]
		a, b := m.users.Row(u), m.items.Row(i)
		for e := range gu {
			gu[e], gi[e] = product[e]*b[e], product[e]*a[e]
		}
		copy(g.Row(m.userInput, u), p.dIn[k*2*d:])
		copy(g.Row(m.itemIn, i), p.dIn[k*2*d+d:])
	}
	return loss
}

// neumfScores ranks by neumf's formula. The items' part of the first layer is equal for all users, so it is computed
// once.
type neumfScores struct {
	m      *neumf
	ofItem []float32 // I×d: n_iW₁ + b₁
	spares *spares[neumfSpare]
}

type neumfSpare struct {
	weights []float32 // d: w ⊙ p_u
	ofUser  []float32 // d: m_uW₁
	user    []float32 // atOnce×d: ofUser in every row
	h1, h2  []float32 // atOnce×d, atOnce×d/2
	x       []float32 // atOnce: w·h₂
}

func (m *neumf) Scorer(workers int) eval.Scorer {
	d, half := m.users.Cols, m.second.out
	s := neumfScores{m, make([]float32, m.items.Rows*d), newSpares(func() *neumfSpare {
		return &neumfSpare{
			make([]float32, d), make([]float32, d), make([]float32, atOnce*d),
			make([]float32, atOnce*d), make([]float32, atOnce*half), make([]float32, atOnce),
		}
	})}
	parallel.Do(workers, m.items.Rows, func(_, _, from, to int) {
		part := s.ofItem[from*d : to*d]
		vec.Spread(part, m.first.b.Data)
		vec.Gemm(part, d, m.itemIn.Data[from*d:to*d], d, 1, m.first.w.Data[d*d:], d, to-from, d, d)
	})
	return s
}

func (s neumfScores) NumItems() int { return s.m.items.Rows }

// Score passes all items. O(I·d²).
func (s neumfScores) Score(user int, dst []float32) {
	m, d, half := s.m, s.m.users.Cols, s.m.second.out
	x, u := s.spares.take(), int32(user)
	defer s.spares.put(x)
	for e, v := range m.users.Row(u) {
		x.weights[e] = v * m.out.w.Data[e]
	}
	vec.MatVec(dst[:s.NumItems()], m.items.Data, x.weights)
	clear(x.ofUser)
	vec.Gemm(x.ofUser, d, m.userInput.Row(u), d, 1, m.first.w.Data, d, 1, d, d)
	vec.Spread(x.user, x.ofUser)
	bias := m.out.b.Data[0]
	blocks(dst[:s.NumItems()], func(from, to int, dst []float32) {
		rows := to - from
		h1, h2 := x.h1[:rows*d], x.h2[:rows*half]
		copy(h1, s.ofItem[from*d:to*d])
		vec.Axpy(1, x.user[:rows*d], h1)
		rectify(h1)
		m.second.forward(h2, h1, rows)
		rectify(h2)
		vec.MatVec(x.x[:rows], h2, m.out.w.Data[d:])
		for i, v := range x.x[:rows] {
			dst[i] += v + bias
		}
	})
}
