package learned

import (
	"math"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// graph is the graph of users and items with its adjacency Â, in which an edge (u,i) weighs 1/√(|S_u|·|U_i|), and a
// number L of steps over it.
type graph struct {
	ofUser, ofItem edges
	layers, dim    int
	y, z           [2][]float32 // working memory: U×d and I×d
}

// edges are the rows of Â of users, or of items.
type edges struct {
	to      *dataset.Matrix
	weights []float32 // aligned with its Indices
}

func newGraph(train *dataset.Matrix, layers, dim int) graph {
	likers := train.Transpose()
	g := graph{ofUser: weigh(train, likers), ofItem: weigh(likers, train), layers: layers, dim: dim}
	for side, m := range []*dataset.Matrix{train, likers} {
		g.y[side], g.z[side] = parallel.Zeros(m.Rows()*dim), parallel.Zeros(m.Rows()*dim)
	}
	return g
}

func weigh(m, other *dataset.Matrix) edges {
	weights := make([]float32, 0, m.Len())
	for r := range m.Rows() {
		row := m.Row(r)
		for _, c := range row {
			weights = append(weights, float32(1/math.Sqrt(float64(len(row))*float64(len(other.Row(int(c)))))))
		}
	}
	return edges{m, weights}
}

// smooth replaces x, the rows of users and items, by (1 + Â + … + Â^L)x/(L+1), computed as x + Â(x + Â(x + …)). The
// operator is its own transpose. O(L·nnz·d).
func (g *graph) smooth(workers int, users, items []float32) {
	copy(g.y[0], users)
	copy(g.y[1], items)
	for range g.layers {
		g.ofUser.step(workers, g.dim, g.z[0], users, g.y[1])
		g.ofItem.step(workers, g.dim, g.z[1], items, g.y[0])
		g.y, g.z = g.z, g.y
	}
	mean := 1 / float32(g.layers+1)
	for side, x := range [][]float32{users, items} {
		for i, v := range g.y[side] {
			x[i] = mean * v
		}
	}
}

// step sets every row z = x + Σ weight·(row of y at the edge's other end).
func (e *edges) step(workers, d int, z, x, y []float32) {
	parallel.Do(workers, e.to.Rows(), func(_, _, from, to int) {
		for r := from; r < to; r++ {
			row := vec.Row(z, r, d)
			copy(row, vec.Row(x, r, d))
			at, ends := e.to.Offsets[r], e.to.Row(r)
			vec.AccumulateRows(row, e.weights[at:at+len(ends)], y, ends)
		}
	})
}
