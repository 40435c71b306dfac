package learned

import (
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// transcf is collaborative translational metric learning: users and items are points in the unit ball, and a user is
// moved to an item by a translation made from both neighbourhoods: the items of the user, the users of the item.
//
//	a_u = mean of y_i over S_u    b_i = mean of x_u over U_i    e_ui = x_u + a_u ⊙ b_i − y_i    score(u,i) = −‖e_ui‖²
//	L = Σ_q [m + ‖e_up‖² − ‖e_uq‖²]₊ + λ_dist‖e_up‖² + λ_nbr(‖x_u − a_u‖² + ‖y_p − b_p‖²)
//
// The gradient passes through a and b to all neighbours. Both regularisers are applied once per positive pair; the
// source sums the second over users and items, which gives less weight to those with many pairs. Source: Park, Kim,
// Xie, Yu, "Collaborative Translational Metric Learning", ICDM 2018.
type transcf struct {
	train, likers    *dataset.Matrix // U×I and its transpose
	users, items     *Param
	ofUser, ofItem   *Param // a (U×d) and b (I×d), computed by Prepare
	margin, dist, by float32
}

func newTransCF(train *dataset.Matrix, s Settings, own map[string]float64, r *rand.Rand) Model {
	m := &transcf{
		train: train, likers: train.Transpose(),
		users:  normal("users", train.Rows(), s.Dim, initial, r),
		items:  normal("items", train.Cols, s.Dim, initial, r),
		ofUser: NewDerived("users.neighbours", train.Rows(), s.Dim),
		ofItem: NewDerived("items.neighbours", train.Cols, s.Dim),
		margin: float32(own["margin"]), dist: float32(own["distance"]), by: float32(own["neighbours"]),
	}
	return m
}

func (m *transcf) Params() []*Param { return []*Param{m.users, m.items} }

func (m *transcf) Bound(_ *Param, row []float32) { gaussian.ScaleInto(row, 1) }

// Prepare computes the neighbourhoods' means. O(nnz·d).
func (m *transcf) Prepare(workers int, _ []Sample) float64 {
	m.means(workers)
	return 0
}

func (m *transcf) means(workers int) {
	for _, side := range []struct {
		of, from *Param
		near     *dataset.Matrix
	}{{m.ofUser, m.items, m.train}, {m.ofItem, m.users, m.likers}} {
		clear(side.of.Data)
		parallel.Do(workers, side.of.Rows, func(_, _, from, to int) {
			for e := from; e < to; e++ {
				row := side.near.Row(e)
				for _, k := range row {
					vec.Axpy(1/float32(len(row)), side.from.Row(k), side.of.Row(int32(e)))
				}
			}
		})
	}
}

// Derived returns the means, whose gradients Derive passes on.
func (m *transcf) Derived() []*Param { return []*Param{m.ofUser, m.ofItem} }

// Propagate does nothing: Derive reads the sums itself.
func (m *transcf) Propagate(int) {}

// Derive adds the gradients of the means that a point is part of. O(|neighbours|·d).
func (m *transcf) Derive(g *Gradient, p *Param, row int32) {
	of, in, near := m.ofItem, m.likers, m.train // a user is part of the means of their items
	if p == m.items {
		of, in, near = m.ofUser, m.train, m.likers
	}
	var own []float32
	for _, e := range near.Row(int(row)) {
		if sum := of.Sum(e); sum != nil {
			if own == nil {
				own = g.Row(p, row)
			}
			vec.Axpy(1/float32(len(in.Row(int(e)))), sum, own)
		}
	}
}

func (m *transcf) Learn(g *Gradient, samples []Sample) (loss float64) {
	d := m.users.Cols
	near, far := make([]float32, d), make([]float32, d)
	for _, s := range samples {
		x, a := m.users.Row(s.User), m.ofUser.Row(s.User)
		y, b := m.items.Row(s.Positive), m.ofItem.Row(s.Positive)
		gx, ga := g.Row(m.users, s.User), g.Row(m.ofUser, s.User)
		gy, gb := g.Row(m.items, s.Positive), g.Row(m.ofItem, s.Positive)
		for e := range near {
			near[e] = x[e] + a[e]*b[e] - y[e]
		}
		distance := vec.Dot(near, near)
		pull := m.dist // multiplicity of the positive's distance
		for _, n := range s.Negatives {
			other, c := m.items.Row(n), m.ofItem.Row(n)
			for e := range far {
				far[e] = x[e] + a[e]*c[e] - other[e]
			}
			hinge := m.margin + distance - vec.Dot(far, far)
			if hinge <= 0 {
				continue
			}
			loss += float64(hinge)
			pull++
			back(-1, far, a, c, gx, ga, g.Row(m.items, n), g.Row(m.ofItem, n))
		}
		back(pull, near, a, b, gx, ga, gy, gb)
		loss += float64(m.dist * distance)
		if m.by > 0 {
			loss += float64(m.by * (vec.SquaredDistance(x, a) + vec.SquaredDistance(y, b)))
			for e := range near {
				du, dy := 2*m.by*(x[e]-a[e]), 2*m.by*(y[e]-b[e])
				gx[e] += du
				ga[e] -= du
				gy[e] += dy
				gb[e] -= dy
			}
		}
	}
	return loss
}

// back adds the gradient of c·‖e‖², e = x + a ⊙ b − y.
func back(c float32, e, a, b, gx, ga, gy, gb []float32) {
	for k, v := range e {
		v *= 2 * c
		gx[k] += v
		gy[k] -= v
		ga[k] += v * b[k]
		gb[k] += v * a[k]
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

// Score passes all items. O(I·d).
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
