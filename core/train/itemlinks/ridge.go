package itemlinks

import (
	"context"
	"math/bits"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
)

// MaxPool is the maximum number of sources of a target in Ridge: a bit mask of one word records the sources in a
// history.
const MaxPool = 64

// Ridge returns links by regression. For each target i, the weights are the ridge regression of the target's column of
// X on the columns of the pool S of Cosine's sources, where X is the training matrix:
//
//	b = argmin ‖x_i − X_S b‖² + λ‖b‖² = (X_SᵀX_S + λI)⁻¹ X_Sᵀx_i
//
// So similar sources share their weight, where cosines would count it twice. With all items as sources this is exactly
// EASE, column by column, without its I³. Recipe.Dropout adds p/(1−p)·n_j to λ for source j of n_j users, as in EDLAE
// (baseline.FitLinear), so links do not rely on single sources.
//
// The top weights are kept; ties go to the lower j. If the pool is 0 or no larger than top, all are kept. A larger pool
// finds better sources, because cosines prefer sources that resemble each other (core/lab/docs/choices.md). Negative
// weights are omitted, as in EASE. γ is 1.
//
// workers is the number of goroutines, 0 for one per CPU; it does not change the result. Ridge fails if Recipe.Check
// does, or if ctx ends.
//
// O(Σ_u |S_u|²) for the sources, and for each target the histories of its sources and pool³; 8·U bytes per worker.
func Ridge(ctx context.Context, train *dataset.Matrix, lambda float64, pool, top, workers int) (*model.ItemLinks,
	error) {
	return one(regress(ctx, train, nil, []Recipe{{Kind: ByRidge, Top: top, Pool: pool, Lambda: lambda}}, workers))
}

// regress is Ridge for some targets (nil: all), by several recipes, those with the largest pool first. They share the
// search for sources and the matrices X_SᵀX_S.
func regress(ctx context.Context, train *dataset.Matrix, targets []int, recipes []Recipe, workers int) (
	[]*model.ItemLinks, error) {
	largest, tops := 0, make([]int, len(recipes))
	for k, r := range recipes {
		if err := r.Check(); err != nil {
			return nil, err
		}
		largest, tops[k] = max(largest, r.Sources()), r.Top
	}
	near, err := nearest(ctx, train, targets, largest, workers)
	if err != nil {
		return nil, err
	}
	users := train.Transpose()
	return collect(ctx, train.Cols, targets, tops, workers, func() func(i int, found [][]eval.Scored) {
		w := ridge{users: users, has: make([]uint64, train.Rows())}
		return func(i int, found [][]eval.Scored) {
			all, weights := near.Row(i)
			var sources []int32
			for k, r := range recipes {
				switch {
				case k == 0:
					sources = strongest(all, weights, r.Sources())
					w.count(i, sources)
				case r.Sources() != recipes[k-1].Sources():
					some := strongest(all, weights, r.Sources())
					w.keep(sources, some)
					sources = some
				}
				found[k] = found[k][:0]
				for at, b := range w.weights(len(sources), r) {
					if b > 0 {
						found[k] = append(found[k], eval.Scored{Score: float32(b), Item: sources[at]})
					}
				}
			}
		}
	})
}

// strongest returns the n sources of the largest weights, ascending; ties go to the lower source. sources must ascend;
// if there are at most n, they are returned as they are.
func strongest(sources []int32, weights []float32, n int) []int32 {
	if len(sources) <= n {
		return sources
	}
	heap := eval.NewHeap(n)
	for k, j := range sources {
		heap.Offer(j, weights[k])
	}
	out := heap.Items()
	slices.Sort(out)
	return out
}

// ridge is the regression of one worker.
type ridge struct {
	users *dataset.Matrix // I×U
	has   []uint64        // U: bit k is set if the user has source k; zero between targets
	seen  []int32         // users with a bit
	// of keep: the places of the sources to keep
	places []int
	Equations
}

// count fills in the equations of a target and its sources.
func (w *ridge) count(target int, sources []int32) {
	m := len(sources)
	w.seen = w.seen[:0]
	for k, j := range sources {
		for _, u := range w.users.Row(int(j)) {
			if w.has[u] == 0 {
				w.seen = append(w.seen, u)
			}
			w.has[u] |= 1 << k
		}
		clear(w.Shared[k][:m])
		w.Common[k] = 0
	}
	for _, u := range w.users.Row(target) {
		for b := w.has[u]; b != 0; b &= b - 1 {
			w.Common[bits.TrailingZeros64(b)]++
		}
	}
	for _, u := range w.seen {
		for b := w.has[u]; b != 0; b &= b - 1 {
			row := &w.Shared[bits.TrailingZeros64(b)]
			for c := b; c != 0; c &= c - 1 { // from the diagonal on: the upper triangle
				row[bits.TrailingZeros64(c)]++
			}
		}
		w.has[u] = 0
	}
}

// keep keeps the equations of some of the sources; both ascend.
func (w *ridge) keep(sources, some []int32) {
	w.places = w.places[:0]
	for k, j := range sources {
		if at := len(w.places); at < len(some) && some[at] == j {
			w.places = append(w.places, k)
		}
	}
	for k, from := range w.places {
		w.Common[k] = w.Common[from]
		for l := k; l < len(w.places); l++ {
			w.Shared[k][l] = w.Shared[from][w.places[l]]
		}
	}
}
