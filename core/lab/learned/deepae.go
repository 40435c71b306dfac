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

// deepAE is a deep autoencoder: a user's row r ∈ {0,1}^I passes three hidden layers of h, d and h units and becomes a
// row again,
//
//	z₁ = tanh(rW₁)   z₂ = tanh(ž₁W₂ + b₂)   z₃ = tanh(ž₂W₃ + b₃)   x = ž₃W₄ + b₄   r̂ = σ(x)
//	L = Σ_u [Σ_i c_ui (r_ui − r̂_ui)² + λ‖Θ‖²/2],   c_ui = c where r_ui = 1, else 1
//
// ž is z with dropout: each unit is 0 with probability p, otherwise scaled by 1/(1−p). Ranking uses x without dropout.
// Source: Ma, Zhang, Wang, Liu, "Point-of-Interest Recommendation: Exploiting Self-Attentive Autoencoders with
// Neighbor-Aware Influence", CIKM 2018, without attention and neighbours of places, as the paper compares with it; h =
// 200, p, λ and the first layer without an offset follow its authors' code, where c is one of {5, 10, 15, 20}. Large
// catalogues need our start of b₄ at popularity (see popular).
//
// A step costs O(B·I·h), and O(B·I + I·h) memory besides the parameters.
type deepAE struct {
	train             *dataset.Matrix
	first             *Param // I×h: W₁
	second, third     layer  // h×d, d×h
	last              layer  // h×I
	positives, lambda float32
	keep              float32 // 1 − p
	seed              uint64

	h3     []float32 // B×h: ž₃ of the batch
	dx     []float32 // B×I: ∂L/∂x
	turned []float32 // I×h: transpose of W₄
	dw, db []float32 // h×I, I: ∂L/∂W₄, ∂L/∂b₄
	n      int       // samples in the batch
	shrink float32   // λn
}

func newDeepAE(train *dataset.Matrix, s Settings, own map[string]float64, r *rand.Rand) Model {
	outer := int(own["outer"])
	m := &deepAE{
		train:     train,
		second:    newLayer("second", outer, s.Dim, r),
		third:     newLayer("third", s.Dim, outer, r),
		last:      newLayer("last", outer, train.Cols, r),
		positives: float32(own["positives"]), lambda: float32(own["regularizer"]), keep: 1 - float32(own["dropout"]),
		seed:   s.Seed,
		turned: parallel.Zeros(train.Cols * outer), dw: parallel.Zeros(outer * train.Cols),
		db: make([]float32, train.Cols),
	}
	first := newLayer("first", train.Cols, outer, r)
	m.first = first.w
	if own["prior"] != 0 {
		m.popular()
	}
	return m
}

// popular starts b₄ at the minimum of L over rows that are equal for all users: for an item of n among U users, r̂ is
// cn/(cn + U − n), with log-odds log(cn/(U − n)); half a user is added on both sides to keep them finite.
//
// With zero offsets each r̂ starts at ½, and the I items, most of which must fall, pull every hidden unit the same way
// first. With 15,000 items tanh saturates within two epochs, equally for all users, and only popularity is ever
// learned. O(I + positives).
func (m *deepAE) popular() {
	have := make([]float64, m.train.Cols)
	for u := range m.train.Rows() {
		for _, i := range m.train.Row(u) {
			have[i]++
		}
	}
	users := float64(m.train.Rows())
	for i, n := range have {
		m.last.b.Data[i] = float32(math.Log((float64(float64(m.positives)*n) + 0.5) / (users - n + 0.5)))
	}
}

func (m *deepAE) Params() []*Param {
	return []*Param{m.first, m.second.w, m.second.b, m.third.w, m.third.b, m.last.w, m.last.b}
}

func (m *deepAE) Bound(*Param, []float32) {}

// Prepare transposes W₄ and returns the regulariser's loss. O(I·h).
func (m *deepAE) Prepare(workers int, samples []Sample) float64 {
	m.n = len(samples)
	m.shrink = m.lambda * float32(m.n)
	m.h3, m.dx = sized(m.h3, m.n*m.last.in), sized(m.dx, m.n*m.last.out)
	h, items := m.last.in, m.last.out
	parallel.Do(workers, items, func(_, _, from, to int) {
		for k := range h {
			for i, w := range m.last.w.Row(int32(k))[from:to] {
				m.turned[(from+i)*h+k] = w
			}
		}
	})
	if m.lambda == 0 {
		return 0
	}
	sum := 0.0
	for _, p := range m.Params() {
		var squares [parallel.Chunks]float64
		parallel.Do(workers, p.Rows, func(_, chunk, from, to int) {
			for r := from; r < to; r++ {
				row := p.Row(int32(r))
				squares[chunk] += float64(vec.Dot(row, row))
			}
		})
		for _, x := range squares {
			sum += x
		}
	}
	return float64(m.shrink) / 2 * sum
}

// hidden holds the hidden layers of n users: z, z after dropout, and the dropout factors.
type hidden struct {
	z, dropped, factors [3][]float32
}

// forward computes the hidden layers. mask writes the factors of a layer's units; nil: no dropout.
func (m *deepAE) forward(p *hidden, users []int32, mask func(layer int, factors []float32)) {
	h, d, n := m.last.in, m.second.out, len(users)
	for k, width := range []int{h, d, h} {
		p.z[k], p.dropped[k] = sized(p.z[k], n*width), sized(p.dropped[k], n*width)
		switch k {
		case 0:
			for at, u := range users {
				z := vec.Row(p.z[0], at, h)
				clear(z)
				for _, i := range m.train.Row(int(u)) {
					vec.Axpy(1, m.first.Row(i), z)
				}
			}
		case 1:
			m.second.forward(p.z[1], p.dropped[0], n)
		case 2:
			m.third.forward(p.z[2], p.dropped[1], n)
		}
		vec.Tanhs(p.z[k], p.z[k])
		copy(p.dropped[k], p.z[k])
		if mask != nil {
			p.factors[k] = sized(p.factors[k], n*width)
			mask(k, p.factors[k])
			times(p.dropped[k], p.factors[k])
		}
	}
}

// dropout writes factors of values that are each kept with probability keep: 1/keep, which preserves the mean,
// otherwise 0.
func dropout(factors []float32, keep float32, r *training.Source) {
	for k := range factors {
		factors[k] = 0
		if float32(r.Uint64()>>40)/(1<<24) < keep {
			factors[k] = 1 / keep
		}
	}
}

// times multiplies x by y, element by element.
func times(x, y []float32) {
	for i, v := range y {
		x[i] *= v
	}
}

// kept is the number of items whose weights a product uses for all of its users before the next items, so that they
// stay in the second-level cache. The order of sums does not change.
const kept = 512

func (m *deepAE) Learn(g *Gradient, samples []Sample) (loss float64) {
	h, d, items, n := m.last.in, m.second.out, m.last.out, len(samples)
	users := make([]int32, n)
	sources := make([]training.Source, n)
	for k, s := range samples {
		users[k] = s.User
		sources[k].Set(m.seed, streamDropout, s.Counter)
	}
	var p hidden
	m.forward(&p, users, func(_ int, factors []float32) {
		for k := range sources {
			dropout(vec.Row(factors, k, len(factors)/n), m.keep, &sources[k])
		}
	})
	at := samples[0].Place
	copy(m.h3[at*h:], p.dropped[2])
	dx := m.dx[at*items : (at+n)*items]
	m.last.forward(dx, p.dropped[2], n)
	spare := make([]float32, items)
	for k, u := range users {
		loss += m.compare(vec.Row(dx, k, items), spare, m.train.Row(int(u)))
	}
	back := make([]float32, n*h)
	for from := 0; from < items; from += kept {
		to := min(from+kept, items)
		vec.Gemm(back, h, dx[from:], items, 1, m.turned[from*h:], h, n, h, to-from)
	}
	back2, back1 := make([]float32, n*d), make([]float32, n*h)
	p.back(2, back)
	m.third.backward(g, back2, back, p.dropped[1], n)
	p.back(1, back2)
	m.second.backward(g, back1, back2, p.dropped[0], n)
	p.back(0, back1)
	for k, u := range users {
		for _, i := range m.train.Row(int(u)) {
			copy(g.Row(m.first, i), vec.Row(back1, k, h))
		}
	}
	return loss
}

// back turns the gradient of a hidden layer's units after dropout into the gradient of their inputs: tanh' = 1 − tanh².
func (p *hidden) back(layer int, dx []float32) {
	times(dx, p.factors[layer])
	for k, z := range p.z[layer] {
		dx[k] *= 1 - z*z
	}
}

// compare turns a user's x into ∂L/∂x and returns the loss: for r̂ = σ(x), c(r − r̂)² and 2c(r̂ − r)r̂(1 − r̂).
func (m *deepAE) compare(x, spare []float32, own []int32) (loss float64) {
	vec.SoftplusSigmoids(spare, x, x)
	for _, i := range own {
		y := x[i]
		loss += float64(m.positives*(1-y)*(1-y)) - float64(y*y)
	}
	loss += float64(vec.Dot(x, x))
	for _, i := range own {
		y := x[i]
		spare[i] = 2 * m.positives * (y - 1) * y * (1 - y)
	}
	next := 0
	for i, y := range x {
		if next < len(own) && own[next] == int32(i) {
			x[i] = spare[i]
			next++
			continue
		}
		x[i] = 2 * y * y * (1 - y)
	}
	return loss
}

// Derived returns none: the last layer's weights are parameters, but each user contributes to all of them.
func (m *deepAE) Derived() []*Param { return nil }

// Propagate computes the gradient of the last layer, ∂L/∂W₄ = ž₃ᵀ ∂L/∂x and ∂L/∂b₄ = Σ_u ∂L/∂x, by blocks of items.
// O(B·I·h).
func (m *deepAE) Propagate(workers int) {
	h, items := m.last.in, m.last.out
	clear(m.dw)
	clear(m.db)
	parallel.Do(workers, items, func(_, _, from, to int) {
		vec.Gemm(m.dw[from:], items, m.h3, 1, h, m.dx[from:], items, h, to-from, m.n)
		for u := range m.n {
			vec.Axpy(1, m.dx[u*items+from:u*items+to], m.db[from:to])
		}
	})
}

// Derive adds the last layer's gradient, and the regulariser's for every row.
func (m *deepAE) Derive(g *Gradient, p *Param, row int32) {
	switch p {
	case m.last.w:
		g.AddScaled(p, row, 1, vec.Row(m.dw, int(row), p.Cols))
	case m.last.b:
		g.AddScaled(p, row, 1, m.db)
	}
	if m.lambda > 0 {
		vec.Axpy(m.shrink, p.Row(row), g.Row(p, row))
	}
}

func (m *deepAE) Scorer(int) eval.Scorer { return deepAEScores{m} }

type deepAEScores struct{ m *deepAE }

func (s deepAEScores) NumItems() int { return s.m.last.out }

// Score passes the layers. O(I·h).
func (s deepAEScores) Score(user int, dst []float32) {
	var p hidden
	s.m.forward(&p, []int32{int32(user)}, nil)
	s.m.last.forward(dst[:s.m.last.out], p.dropped[2], 1)
}
