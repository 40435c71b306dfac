package learned

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// bsl is matrix factorisation by cosines (sphere), learned by the bilateral softmax loss. With f the cosine of a user
// and an item, P_u the user's positive pairs in the batch, and κ the power, each positive pair has
//
//	L = −log(Σ_{p∈P_u} exp(f_p/τ)/|P_u|) + κ·log(Σ_q exp(f_q/τ)/Q)
//
// In the first term the best of a user's pairs count most, so a wrong one does less harm; with κ = 1 and one pair per
// user it is the softmax loss over drawn negatives. Over a user's pairs in the batch, with w their softmax,
//
//	∂L/∂f_p = −|P_u|·w_p/τ    ∂L/∂f_q = κ·softmax_q/τ
//
// Source: Wu, Chen, Wu, Wang, He, "BSL: Understanding and Improving Softmax Loss for Recommendation", ICDE 2024. The
// paper's loss has a temperature for each side; its authors' code and settings have one temperature and a power, as
// here.
type bsl struct {
	users, items *Param
	inverse      float32    // 1/τ
	power        float32    // κ
	pull         []float32  // −∂L/∂f_p of each sample, by its place in the batch
	sums         []userSums // of the batch, by user
}

// userSums has the sums over one user's positive pairs in a batch.
type userSums struct {
	pairs   int
	largest float32 // f_p
	exps    float32 // Σ exp((f_p − largest)/τ)
}

func newBSL(train *dataset.Matrix, s Settings, own map[string]float64, r *rand.Rand) Model {
	return &bsl{
		users: sphere("users", train.Rows(), s.Dim, r), items: sphere("items", train.Cols, s.Dim, r),
		inverse: float32(1 / own["temperature"]), power: float32(own["power"]),
		sums: make([]userSums, train.Rows()),
	}
}

func (m *bsl) Params() []*Param { return []*Param{m.users, m.items} }

func (m *bsl) Bound(_ *Param, row []float32) { normalise(row) }

func (m *bsl) Scorer(int) eval.Scorer { return products{m.users, m.items} }

// Prepare returns the positive pairs' part of the loss. O(B·d).
func (m *bsl) Prepare(_ int, samples []Sample) (loss float64) {
	m.pull = sized(m.pull, len(samples)) // holds f_p first
	for k, s := range samples {
		m.sums[s.User] = userSums{largest: float32(math.Inf(-1))}
		m.pull[k] = vec.Dot(m.users.Row(s.User), m.items.Row(s.Positive))
	}
	for k, s := range samples {
		u := &m.sums[s.User]
		u.pairs++
		u.largest = max(u.largest, m.pull[k])
	}
	for k, s := range samples {
		u := &m.sums[s.User]
		m.pull[k] = vec.Exp((m.pull[k] - u.largest) * m.inverse)
		u.exps += m.pull[k]
	}
	for k, s := range samples {
		u := &m.sums[s.User]
		m.pull[k] *= float32(u.pairs) / u.exps * m.inverse
		loss -= vec.Log(float64(u.exps)/float64(u.pairs)) + float64(u.largest*m.inverse)
	}
	return loss
}

// Learn returns the negatives' part of the loss. O(Q·d) a sample.
func (m *bsl) Learn(g *Gradient, samples []Sample) (loss float64) {
	for _, s := range samples {
		u, c := m.users.Row(s.User), g.take(len(s.Negatives))
		dots(c, u, m.items, s.Negatives)
		largest := slices.Max(c)
		for k := range c {
			c[k] = (c[k] - largest) * m.inverse
		}
		vec.Exps(c, c)
		sum := float32(0)
		for _, x := range c {
			sum += x
		}
		loss += float64(float64(m.power) * (vec.Log(float64(sum)/float64(len(c))) + float64(largest*m.inverse)))
		scale := m.power * m.inverse / sum
		for k, n := range s.Negatives {
			c[k] *= scale
			g.AddScaled(m.items, n, c[k], u)
		}
		gu := g.Row(m.users, s.User)
		vec.AccumulateRows(gu, c, m.items.Data, s.Negatives)
		vec.Axpy(-m.pull[s.Place], m.items.Row(s.Positive), gu)
		g.AddScaled(m.items, s.Positive, -m.pull[s.Place], u)
	}
	return loss
}
