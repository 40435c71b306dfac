// Package cosine finds the items that the same users like:
//
//	cos(i,j) = |U_i ∩ U_j| / √(|U_i|·|U_j|)
//
// where U_i are the users of item i in the training matrix (U×I). dataset.Neighbours finds pairs above a threshold;
// here each item gets its best neighbours, however similar they are.
//
// In the flow: dataset → cosine → pmlam, itemlinks. Native only.
package cosine

import (
	"math"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// Similarity returns the cosine of two items with a and b users, common of them shared.
func Similarity(common, a, b int) float32 {
	return float32(float64(common) / math.Sqrt(float64(a)*float64(b)))
}

// Items are the items of a training matrix, prepared for comparison. They are read only.
type Items struct {
	train *dataset.Matrix // U×I
	users *dataset.Matrix // I×U
}

// NewItems returns the items of train and keeps train. O(nnz).
func NewItems(train *dataset.Matrix) *Items { return &Items{train, train.Transpose()} }

// Len returns the number of users of item i.
func (x *Items) Len(i int) int { return len(x.users.Row(i)) }

// Search returns a function that offers all items j ≠ i with a positive cosine with item i to a heap. It is not safe
// for concurrent use, and uses 4·I bytes. O(Σ_{u ∈ U_i} |S_u|) a call, over the users' rows S_u.
func (x *Items) Search() func(i int, heap *eval.Heap) {
	common := make([]int32, x.train.Cols) // |U_i ∩ U_j|, zero between calls
	var touched []int32
	return func(i int, heap *eval.Heap) {
		touched = touched[:0]
		for _, u := range x.users.Row(i) {
			for _, j := range x.train.Row(int(u)) {
				if common[j] == 0 {
					touched = append(touched, j)
				}
				common[j]++
			}
		}
		for _, j := range touched {
			if int(j) != i {
				heap.Offer(j, Similarity(int(common[j]), x.Len(i), x.Len(int(j))))
			}
			common[j] = 0
		}
	}
}
