package baseline

import (
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// popularity scores an item by its number of training users, the same for everybody.
type popularity struct {
	count []float32 // I
}

// Popularity ranks items by the number of users who have them in train:
//
//	score(u,i) = |U_i|
//
// O(nnz) to fit, O(I) per user, 4I bytes. Counts are exact up to 2²⁴ users. It is the minimum that a recommender has to
// beat (Cremonesi, Koren, Turrin, "Performance of Recommender Algorithms on Top-N Recommendation Tasks", RecSys 2010,
// TopPop).
func Popularity(train *dataset.Matrix) eval.Scorer {
	p := &popularity{count: make([]float32, train.Cols)}
	for i, n := range degrees(train) {
		p.count[i] = float32(n)
	}
	return p
}

func (p *popularity) NumItems() int { return len(p.count) }

func (p *popularity) Score(_ int, dst []float32) { copy(dst, p.count) }

// degrees returns the number of users of each item. O(nnz).
func degrees(train *dataset.Matrix) []int {
	n := make([]int, train.Cols)
	for _, i := range train.Indices {
		n[i]++
	}
	return n
}
