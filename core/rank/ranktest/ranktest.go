// Package ranktest makes very many Gaussians of few, for tests and benchmarks of what ranks them: ones that lie as a trained
// model's do, and ones that lie as badly as can be. Tests alone import it.
package ranktest

import (
	"math/rand/v2"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/recommender"
)

// Trained calls add with n rows that lie as those of a trained model: each is one of the model's, of which every sixth number,
// by chance, is another's. So every number is distributed as in the model, with the few large σ among many small ones that
// training leads to, and rows gather in families as wide as those of related titles are.
func Trained(items *gaussian.Table, n int, add func(row []float32)) {
	r := rand.New(rand.NewPCG(20, 27))
	row := make([]float32, 2*items.Dim())
	for range n {
		other := items.Row(r.IntN(items.Len()))
		copy(row, items.Row(r.IntN(items.Len())))
		for d, x := range other {
			if r.IntN(6) == 0 {
				row[d] = x
			}
		}
		gaussian.Bound(row, 1)
		add(row)
	}
}

// Uniform calls add with n rows without a structure that could be made use of: each direction says as much as any other, and
// nothing gathers.
func Uniform(h, n int, add func(row []float32)) {
	r := rand.New(rand.NewPCG(20, 28))
	row := make([]float32, 2*h)
	for range n {
		for d := range h {
			row[d], row[h+d] = float32(0.1*r.NormFloat64()), max(float32(0.4+0.1*r.NormFloat64()), gaussian.MinStddev)
		}
		add(row)
	}
}

// Visitors returns the rows of n visitors of a model who like one title, five and twenty, in turn, all of the same taste.
func Visitors(m *recommender.Recommender, n int) (rows [][]float32) {
	r := rand.New(rand.NewPCG(20, 29))
	for i := range n {
		likes := []int{1, 5, 20}[i%3]
		v := recommender.Visit{Likes: []int{r.IntN(m.Len())}}
		near := m.Similar(v.Likes[0], 4*likes)
		for len(v.Likes) < likes {
			v.Likes = append(v.Likes, near[r.IntN(len(near))].Item)
		}
		rows = append(rows, m.Taste(v, nil).Row)
	}
	return rows
}
