package itemlinks

import (
	"context"
	"fmt"
	"math"
	"math/bits"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
)

// maxRidgeSources is the most sources of a target in Ridge: a history's sources are kept as the bits of one word.
const maxRidgeSources = 64

// Ridge returns the part whose sources are Cosine's and whose weights are, for each target i with its sources S, the
// ridge regression of the target's column of X on theirs, X the training matrix:
//
//	b = argmin ‖x_i − X_S b‖² + λ‖b‖² = (X_SᵀX_S + λI)⁻¹ X_Sᵀx_i
//
// so sources that say the same share their weight where cosines would count it twice. With all items for sources this
// is EASE to the letter, column by column; with few it is better than EASE's largest weights, which were balanced
// against all those that were dropped, and it needs no I³. Negative weights are left out, as in EASE; of sources that
// are alike they are few. γ is 1.
//
// The result does not depend on workers (0: as many as there are processors). It returns an error for more than 64
// sources or a λ that is not positive, and the context's. It panics for top < 1.
//
// O(Σ_u |S_u|²) for the sources, and for each target the histories of its sources and top³; 8·U bytes a worker.
func Ridge(ctx context.Context, train *dataset.Matrix, lambda float64, top, workers int) (*model.ItemLinks, error) {
	return ridgeOf(ctx, train, nil, lambda, top, workers)
}

// ridgeOf is Ridge for some targets, nil for all.
func ridgeOf(ctx context.Context, train *dataset.Matrix, targets []int, lambda float64, top,
	workers int) (*model.ItemLinks, error) {
	if top > maxRidgeSources {
		return nil, fmt.Errorf("an item-item part by ridge regression is asked for with %d sources a target; it has "+
			"at most %d", top, maxRidgeSources)
	}
	if !(lambda > 0) || math.IsInf(lambda, 0) {
		return nil, fmt.Errorf("an item-item part by ridge regression is asked for with λ = %g; λ must be a positive "+
			"number", lambda)
	}
	near, err := cosine(ctx, train, targets, top, workers)
	if err != nil {
		return nil, err
	}
	users := train.Transpose()
	return collect(ctx, train.Cols, targets, top, workers, func() func(i int, heap *eval.Heap) {
		w := ridge{users: users, lambda: lambda, has: make([]uint64, train.Rows())}
		return func(i int, heap *eval.Heap) {
			sources, _ := near.Row(i)
			for k, b := range w.weights(i, sources) {
				if b > 0 {
					heap.Offer(sources[k], float32(b))
				}
			}
		}
	})
}

// ridge is one worker's regression.
type ridge struct {
	users  *dataset.Matrix // I×U
	lambda float64
	has    []uint64 // U: bit k: the user has source k; zero between targets
	seen   []int32  // users with a bit
	gram   [maxRidgeSources][maxRidgeSources]float64
	right  [maxRidgeSources]float64
}

// weights returns b of a target, aligned with its sources, in memory of the worker's own.
func (w *ridge) weights(target int, sources []int32) []float64 {
	m := len(sources)
	w.seen = w.seen[:0]
	for k, j := range sources {
		for _, u := range w.users.Row(int(j)) {
			if w.has[u] == 0 {
				w.seen = append(w.seen, u)
			}
			w.has[u] |= 1 << k
		}
		clear(w.gram[k][:m])
		w.right[k] = 0
	}
	for _, u := range w.users.Row(target) {
		for b := w.has[u]; b != 0; b &= b - 1 {
			w.right[bits.TrailingZeros64(b)]++
		}
	}
	for _, u := range w.seen {
		for b := w.has[u]; b != 0; b &= b - 1 {
			row := &w.gram[bits.TrailingZeros64(b)]
			for c := b; c != 0; c &= c - 1 { // from the diagonal on: the upper triangle
				row[bits.TrailingZeros64(c)]++
			}
		}
		w.has[u] = 0
	}
	for k := range m {
		w.gram[k][k] += w.lambda
	}
	w.solve(m)
	return w.right[:m]
}

// solve solves gram·x = right by Cholesky's factorisation UᵀU of the upper triangle, in place. The diagonal is at least
// λ above a positive semidefinite matrix of whole numbers, so it does not fail.
func (w *ridge) solve(m int) {
	a, x := &w.gram, &w.right
	for k := range m {
		pivot := math.Sqrt(a[k][k])
		for j := k; j < m; j++ {
			a[k][j] /= pivot
		}
		for i := k + 1; i < m; i++ {
			f := a[k][i]
			for j := i; j < m; j++ {
				a[i][j] -= float64(f * a[k][j])
			}
		}
	}
	for k := range m { // Uᵀy = right
		x[k] /= a[k][k]
		for j := k + 1; j < m; j++ {
			x[j] -= float64(a[k][j] * x[k])
		}
	}
	for k := m - 1; k >= 0; k-- { // Ux = y
		for j := k + 1; j < m; j++ {
			x[k] -= float64(a[k][j] * x[j])
		}
		x[k] /= a[k][k]
	}
}
