package learned

import (
	"sync"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// atOnce is how many items are scored at a time by the models whose score is more than a product or a distance of two rows:
// what a kernel does for all of them costs a fraction of what it costs one by one, and they stay in the first-level cache.
const atOnce = 128

// blocks calls f for the items [from, to), at most atOnce of them at a time, and what is theirs of dst.
func blocks(dst []float32, f func(from, to int, dst []float32)) {
	for from := 0; from < len(dst); from += atOnce {
		to := min(from+atOnce, len(dst))
		f(from, to, dst[from:to])
	}
}

// spares lends working memory to a scorer, which several goroutines use at once.
type spares[T any] struct{ pool sync.Pool }

func newSpares[T any](make func() *T) *spares[T] {
	return &spares[T]{sync.Pool{New: func() any { return make() }}}
}

func (s *spares[T]) take() *T { return s.pool.Get().(*T) }
func (s *spares[T]) put(x *T) { s.pool.Put(x) }

// farthest writes −‖row‖² of each of dst's rows of x, d values each.
func farthest(dst, x []float32, d int) {
	for i := range dst {
		row := rowOf(x, i, d)
		dst[i] = -vec.Dot(row, row)
	}
}

// lrmlScores ranks by lrml's formula. What it computes is what relate does pair by pair, with the products of a block of
// items in one: with the user p, the logits (p ⊙ q)K of all q are Q(p ⊙ K), and their relations AM.
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
		return &lrmlSpare{make([]float32, atOnce*d), make([]float32, d*n), make([]float32, atOnce*n), make([]float32, atOnce*d)}
	})}
}

func (s lrmlScores) NumItems() int { return s.m.items.Rows }

// Score goes through all items. O(I·N·d).
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

// softmaxes turns every row of n logits into shares.
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

// translated ranks by transcf's formula.
type translated struct {
	m      *transcf
	spares *spares[translatedSpare]
}

type translatedSpare struct{ user, around, e []float32 } // atOnce×d each: x_u and a_u in every row; e_ui

func (m *transcf) Scorer(workers int) eval.Scorer {
	m.means(workers)
	size := atOnce * m.users.Cols
	return translated{m, newSpares(func() *translatedSpare {
		return &translatedSpare{make([]float32, size), make([]float32, size), make([]float32, size)}
	})}
}

func (s translated) NumItems() int { return s.m.items.Rows }

// Score goes through all items. O(I·d).
func (s translated) Score(user int, dst []float32) {
	d, x := s.m.users.Cols, s.spares.take()
	defer s.spares.put(x)
	vec.Spread(x.user, s.m.users.Row(int32(user)))
	vec.Spread(x.around, s.m.ofUser.Row(int32(user)))
	blocks(dst[:s.NumItems()], func(from, to int, dst []float32) {
		size := (to - from) * d
		e := x.e[:size]
		copy(e, x.user)
		vec.Axpy(-1, s.m.items.Data[from*d:to*d], e)
		vec.AddProduct(e, x.around[:size], s.m.ofItem.Data[from*d:to*d])
		farthest(dst, e, d)
	})
}

// neumfScores ranks by neumf's formula. The first layer's part of the items is the same for all users: it is found once.
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

// Score goes through all items. O(I·d²).
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
