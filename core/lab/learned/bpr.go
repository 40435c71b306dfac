package learned

import (
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// bpr is matrix factorisation learned by Bayesian personalised ranking: score(u,i) = w_u·h_i, and for each negative q
// of a positive p
//
//	L = softplus(−x) + λ(‖w_u‖² + ‖h_p‖² + ‖h_q‖²)/2,   x = w_u·(h_p − h_q)
//	∂L/∂w_u = −σ(−x)(h_p − h_q) + λw_u    ∂L/∂h_p = −σ(−x)w_u + λh_p    ∂L/∂h_q = σ(−x)w_u + λh_q
//
// Source: Rendle, Freudenthaler, Gantner, Schmidt-Thieme, "BPR: Bayesian Personalized Ranking from Implicit Feedback",
// UAI 2009, which regularises each triplet in this way; without item biases, as its matrix factorisation.
type bpr struct {
	users, items *Param
	lambda       float32
}

// bprWhole is bpr with a regulariser on whole tables in every step, added to the mean loss, the easiest form in array
// frameworks. A batch of n samples has
//
//	L = Σ softplus(−x) + n·Q·λ'(‖W‖² + ‖H‖²)/2
//
// so every row moves in every step, and rows in few triplets are shrunk as strongly as others. O((U+I)·d) a step.
type bprWhole struct {
	*bpr
	whole  float32 // λ'
	weight float32 // n·Q·λ' of the current batch
}

// initial is the initial deviation of embeddings (paper, Section 4.3).
const initial = 0.01

func newBPR(train *dataset.Matrix, s Settings, own map[string]float64, r *rand.Rand) Model {
	m := &bpr{
		users:  normal("users", train.Rows(), s.Dim, initial, r),
		items:  normal("items", train.Cols, s.Dim, initial, r),
		lambda: float32(own["regularizer"]),
	}
	if whole := own["whole"]; whole > 0 {
		return &bprWhole{bpr: m, whole: float32(whole)}
	}
	return m
}

var _ Deriver = (*bprWhole)(nil)

func (m *bprWhole) Derived() []*Param { return nil }

func (m *bprWhole) Propagate(int) {}

// Prepare returns the regulariser's loss.
func (m *bprWhole) Prepare(workers int, samples []Sample) float64 {
	triplets := 0
	for _, s := range samples {
		triplets += len(s.Negatives)
	}
	m.weight = m.whole * float32(triplets)
	var squares [parts]float64
	for _, p := range m.Params() {
		parallel.Do(workers, p.Rows, func(_, part, from, to int) {
			for r := from; r < to; r++ {
				row := p.Row(int32(r))
				squares[part] += float64(vec.Dot(row, row))
			}
		})
	}
	sum := 0.0
	for _, s := range squares {
		sum += s
	}
	return float64(m.weight) / 2 * sum
}

// Derive adds n·Q·λ' times the row to its gradient.
func (m *bprWhole) Derive(g *Gradient, p *Param, row int32) {
	g.AddScaled(p, row, m.weight, p.Row(row))
}

func (m *bpr) Params() []*Param { return []*Param{m.users, m.items} }

func (m *bpr) Bound(*Param, []float32) {}

func (m *bpr) Prepare(int, []Sample) float64 { return 0 }

func (m *bpr) Scorer(int) eval.Scorer { return products{m.users, m.items} }

func (m *bpr) Learn(g *Gradient, samples []Sample) (loss float64) {
	for _, s := range samples {
		loss += pairwise(g, m.users, m.items, s) + shrink(g, m.users, m.items, s, m.lambda)
	}
	return loss
}

// pairwise adds the gradient of BPR's loss of one sample to g and returns the loss. With w a row of users, p and q rows
// of items,
//
//	L = Σ_q softplus(−x_q),   x_q = w·(p − q),   c_q = σ(−x_q),   C = Σ_q c_q
//	∂L/∂w = −C·p + Σ_q c_q·q    ∂L/∂p = −C·w    ∂L/∂q = c_q·w
//
// O(Q·d), mostly the two passes over the q.
func pairwise(g *Gradient, users, items *Param, s Sample) (loss float64) {
	w, p := users.Row(s.User), items.Row(s.Positive)
	x, c := g.take(len(s.Negatives)), g.take(len(s.Negatives))
	score := vec.Dot(w, p)
	dots(x, w, items, s.Negatives)
	for k := range x {
		x[k] -= score
	}
	vec.SoftplusSigmoids(x, c, x)
	gw, sum := g.Row(users, s.User), float32(0)
	vec.AccumulateRows(gw, c, items.Data, s.Negatives)
	for k, n := range s.Negatives {
		g.AddScaled(items, n, c[k], w)
		sum += c[k]
		loss += float64(x[k])
	}
	vec.Axpy(-sum, p, gw)
	g.AddScaled(items, s.Positive, -sum, w)
	return loss
}

// shrink adds the gradient of λ(‖w‖² + ‖p‖² + ‖q‖²)/2, for each triplet of the sample, to g and returns its value.
// O(Q·d).
func shrink(g *Gradient, users, items *Param, s Sample, lambda float32) (loss float64) {
	if lambda == 0 {
		return 0
	}
	one := func(p *Param, row int32, times int) {
		own, weight := p.Row(row), lambda*float32(times)
		g.AddScaled(p, row, weight, own)
		loss += float64(weight) / 2 * float64(vec.Dot(own, own))
	}
	for _, n := range s.Negatives {
		one(items, n, 1)
	}
	one(users, s.User, len(s.Negatives))
	one(items, s.Positive, len(s.Negatives))
	return loss
}

// dots writes the products of w with the given rows of items into dst. O(len(rows)·d).
func dots(dst, w []float32, items *Param, rows []int32) {
	const ahead = 32 // prefetch distance, in rows
	vec.Prefetch(items.Data, items.Cols, rows[:min(ahead, len(rows))])
	for k, r := range rows {
		if next := k + ahead; k%ahead == 0 && next < len(rows) {
			vec.Prefetch(items.Data, items.Cols, rows[next:min(next+ahead, len(rows))])
		}
		dst[k] = vec.Dot(w, items.Row(r))
	}
}

// products ranks by the dot product of rows.
type products struct{ users, items *Param }

func (s products) NumItems() int { return s.items.Rows }

func (s products) Score(user int, dst []float32) {
	vec.MatVec(dst[:s.items.Rows], s.items.Data, s.users.Row(int32(user)))
}

// nearness ranks by the squared distance of rows, nearest first.
type nearness struct{ users, items *Param }

func (s nearness) NumItems() int { return s.items.Rows }

func (s nearness) Score(user int, dst []float32) {
	dst = dst[:s.items.Rows]
	vec.SquaredDistances(dst, s.users.Row(int32(user)), s.items.Data)
	for i, d := range dst {
		dst[i] = -d
	}
}
