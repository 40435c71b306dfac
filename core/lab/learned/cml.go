package learned

import (
	"math"
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// cml is collaborative metric learning: users and items are points in the unit ball, score(u,i) = −‖x_u − y_i‖². Only
// the nearest of a positive's Q negatives counts, weighted by the rank estimated from the share of impostors among them
// (WARP):
//
//	L = w·[m + D(u,p) − min_q D(u,q)]₊ + λ_c·(‖C‖² − ‖diag C‖²)/2,   w = ln(1 + I·M/Q)
//
// M is the number of negatives nearer than the positive plus the margin, C the covariance of the batch's users and
// positive items, N points; a point z gets λ_c·(2/N)·(C − diag C)(z − z̄) from it. w is constant in the gradient.
// Source: Hsieh, Yang, Cui, Lin, Belongie, Estrin, "Collaborative Metric Learning", WWW 2017. Their regulariser mixes a
// norm with a squared norm; here it is its origin, DeCov's (Cogswell et al., ICLR 2016).
type cml struct {
	users, items *Param
	margin       float32
	lambda       float32

	mean []float32 // d: mean of the batch's points
	off  []float32 // d×d: λ_c·(2/N)·(C − diag C)
}

func newCML(train *dataset.Matrix, s Settings, own map[string]float64, r *rand.Rand) Model {
	// Points this close take long to separate; the authors start at 1/√d.
	deviation := 1 / math.Sqrt(float64(s.Dim)) / 2
	m := &cml{
		users:  normal("users", train.Rows(), s.Dim, deviation, r),
		items:  normal("items", train.Cols, s.Dim, deviation, r),
		margin: float32(own["margin"]), lambda: float32(own["covariance"]),
		mean: make([]float32, s.Dim), off: make([]float32, s.Dim*s.Dim),
	}
	for _, p := range m.Params() {
		for e := range p.Rows {
			m.Bound(p, p.Row(int32(e)))
		}
	}
	return m
}

func (m *cml) Params() []*Param { return []*Param{m.users, m.items} }

// Bound keeps a point in the unit ball.
func (m *cml) Bound(_ *Param, row []float32) { gaussian.ScaleInto(row, 1) }

func (m *cml) Scorer(int) eval.Scorer { return nearness{m.users, m.items} }

// Prepare computes the batch's covariance. O(B·d²).
func (m *cml) Prepare(_ int, samples []Sample) float64 {
	if m.lambda == 0 {
		return 0
	}
	d := len(m.mean)
	n := float32(2 * len(samples))
	clear(m.mean)
	for _, s := range samples {
		vec.Axpy(1/n, m.users.Row(s.User), m.mean)
		vec.Axpy(1/n, m.items.Row(s.Positive), m.mean)
	}
	clear(m.off)
	dev := make([]float32, d)
	for _, s := range samples {
		for _, row := range [][]float32{m.users.Row(s.User), m.items.Row(s.Positive)} {
			for k, x := range row {
				dev[k] = x - m.mean[k]
			}
			for k, x := range dev {
				vec.Axpy(x/n, dev, m.off[k*d:(k+1)*d])
			}
		}
	}
	sum := 0.0
	for k := range d {
		m.off[k*d+k] = 0
	}
	for k, c := range m.off {
		sum += float64(c) * float64(c)
		m.off[k] = c * m.lambda * 2 / n
	}
	return float64(m.lambda) * sum / 2
}

// spread adds the covariance term's gradient for a point to g.
func (m *cml) spread(g, row, dev []float32) {
	if m.lambda == 0 {
		return
	}
	d := len(row)
	for k, x := range row {
		dev[k] = x - m.mean[k]
	}
	for k := range d {
		g[k] += vec.Dot(m.off[k*d:(k+1)*d], dev)
	}
}

func (m *cml) Learn(g *Gradient, samples []Sample) (loss float64) {
	dev := make([]float32, len(m.mean))
	for _, s := range samples {
		u, p := m.users.Row(s.User), m.items.Row(s.Positive)
		gu, gp := g.Row(m.users, s.User), g.Row(m.items, s.Positive)
		m.spread(gu, u, dev)
		m.spread(gp, p, dev)
		far := m.margin + vec.SquaredDistance(u, p)
		nearest, least, impostors := int32(-1), float32(math.Inf(1)), 0
		for _, n := range s.Negatives {
			x := vec.SquaredDistance(u, m.items.Row(n))
			if x < least {
				nearest, least = n, x
			}
			if x < far {
				impostors++
			}
		}
		if impostors == 0 {
			continue
		}
		w := float32(math.Log1p(float64(m.items.Rows) * float64(impostors) / float64(len(s.Negatives))))
		loss += float64(w * (far - least))
		apart(w, u, p, m.items.Row(nearest), gu, gp, g.Row(m.items, nearest))
	}
	return loss
}

// apart adds the gradient of w·(‖a − p‖² − ‖a − q‖²) to ga, gp, gq:
//
//	∂/∂a = 2w(q − p)    ∂/∂p = 2w(p − a)    ∂/∂q = 2w(a − q)
func apart(w float32, a, p, q, ga, gp, gq []float32) {
	vec.Axpy(2*w, q, ga)
	vec.Axpy(-2*w, p, ga)
	vec.Axpy(2*w, p, gp)
	vec.Axpy(-2*w, a, gp)
	vec.Axpy(2*w, a, gq)
	vec.Axpy(-2*w, q, gq)
}
