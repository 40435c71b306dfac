package learned

import (
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// lightGCN is matrix factorisation with embeddings smoothed over the graph of users and items. With E⁰ the U+I learned
// embeddings and Â the graph's adjacency, each edge (u,i) weighing 1/√(|S_u|·|U_i|),
//
//	E = (E⁰ + ÂE⁰ + … + Â^L E⁰)/(L+1)    score(u,i) = e_u·e_i
//	L = Σ_q softplus(−x) + λ(‖e⁰_u‖² + ‖e⁰_p‖² + ‖e⁰_q‖²)/2,   x = e_u·(e_p − e_q)
//
// Â is symmetric, so the gradient takes the same steps: ∂L/∂E⁰ = (1 + Â + … + Â^L)(∂L/∂E)/(L+1), plus the
// regulariser's. Source: He, Deng, Wang, Li, Zhang, Wang, "LightGCN: Simplifying and Powering Graph Convolution Network
// for Recommendation", SIGIR 2020; E⁰ starts at N(0, 0.1²) as in the authors' second code.
//
// A step costs O(L·nnz·d) for any batch, so large batches are cheap.
type lightGCN struct {
	users, items   *Param // E⁰
	ofUser, ofItem *Param // E, computed by Prepare
	lambda         float32
	graph          graph
	dUsers, dItems []float32 // ∂L/∂E, then ∂L/∂E⁰
}

func newLightGCN(train *dataset.Matrix, s Settings, own map[string]float64, r *rand.Rand) Model {
	const deviation = 0.1
	users, items := train.Rows(), train.Cols
	return &lightGCN{
		users:  normal("users", users, s.Dim, deviation, r),
		items:  normal("items", items, s.Dim, deviation, r),
		ofUser: NewDerived("users.propagated", users, s.Dim),
		ofItem: NewDerived("items.propagated", items, s.Dim),
		lambda: float32(own["regularizer"]),
		graph:  newGraph(train, int(own["layers"]), s.Dim),
		dUsers: parallel.Zeros(users * s.Dim), dItems: parallel.Zeros(items * s.Dim),
	}
}

func (m *lightGCN) Params() []*Param  { return []*Param{m.users, m.items} }
func (m *lightGCN) Derived() []*Param { return []*Param{m.ofUser, m.ofItem} }

func (m *lightGCN) Bound(*Param, []float32) {}

func (m *lightGCN) propagate(workers int) {
	copy(m.ofUser.Data, m.users.Data)
	copy(m.ofItem.Data, m.items.Data)
	m.graph.smooth(workers, m.ofUser.Data, m.ofItem.Data)
}

// Prepare computes E. O(L·nnz·d).
func (m *lightGCN) Prepare(workers int, _ []Sample) float64 {
	m.propagate(workers)
	return 0
}

func (m *lightGCN) Learn(g *Gradient, samples []Sample) (loss float64) {
	for _, s := range samples {
		loss += pairwise(g, m.ofUser, m.ofItem, s) + shrink(g, m.users, m.items, s, m.lambda)
	}
	return loss
}

// Propagate takes the gradient back over the graph. O(L·nnz·d).
func (m *lightGCN) Propagate(workers int) {
	for _, side := range []struct {
		of   *Param
		into []float32
	}{{m.ofUser, m.dUsers}, {m.ofItem, m.dItems}} {
		parallel.Do(workers, side.of.Rows, func(_, _, from, to int) {
			for e := from; e < to; e++ {
				row := vec.Row(side.into, e, side.of.Cols)
				if sum := side.of.Sum(int32(e)); sum != nil {
					copy(row, sum)
				} else {
					clear(row)
				}
			}
		})
	}
	m.graph.smooth(workers, m.dUsers, m.dItems)
}

// Derive adds the gradient of an embedding.
func (m *lightGCN) Derive(g *Gradient, p *Param, row int32) {
	from := m.dUsers
	if p == m.items {
		from = m.dItems
	}
	g.AddScaled(p, row, 1, vec.Row(from, int(row), p.Cols))
}

func (m *lightGCN) Scorer(workers int) eval.Scorer {
	m.propagate(workers)
	return products{m.ofUser, m.ofItem}
}
