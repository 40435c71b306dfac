package baseline

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/pmlam/pmlam/core/dataset"
)

// pairs is a sparse I×I matrix of pairs of items that share users, including the diagonal: row i holds the values of
// the items at[i]. It takes 8 bytes per pair.
type pairs struct {
	at    [][]int32
	value [][]float32
}

// maxPairs bounds the memory of pairs to 4 GB.
const maxPairs = 500_000_000

// newPairs returns the matrix with the entries value(i, j, w), where w sums userWeight over the users who have both
// items. The columns of a row are unsorted, but in the same order for any number of workers. It fails for more than
// maxPairs pairs, or if ctx ends. O(Σ_u |S_u|²) time, shared by the workers.
func newPairs(ctx context.Context, train *dataset.Matrix, userWeight []float64, workers int,
	value func(i, j int32, sum float64) float32) (*pairs, error) {
	p := &pairs{at: make([][]int32, train.Cols), value: make([][]float32, train.Cols)}
	users := train.Transpose()
	var n atomic.Int64
	err := each(ctx, train.Cols, workers, func() func(int) {
		r := newReach(train, users, userWeight)
		var at []int32
		var values []float32
		return func(i int) {
			if n.Load() > maxPairs {
				return
			}
			at, values = at[:0], values[:0]
			r.from(i, func(j int32, sum float64) {
				at, values = append(at, j), append(values, value(int32(i), j, sum))
			})
			n.Add(int64(len(at)))
			p.at[i], p.value[i] = append([]int32(nil), at...), append([]float32(nil), values...)
		}
	})
	if err == nil && n.Load() > maxPairs {
		err = fmt.Errorf("more than %d pairs of items share users, which takes more than %d GB; raise the "+
			"minimum number of likes per item", maxPairs, maxPairs*8/1_000_000_000)
	}
	return p, err
}
