package itemlinks

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/model"
)

// Cosine returns the part of the top sources j ≠ i of every target i by
//
//	B_ji = cos(i,j) = |U_i ∩ U_j| / √(|U_i|·|U_j|)
//
// in the training matrix (U×I), never with cosine 0, ties to the lower j. γ is 1. The result does not depend on workers
// (0: as many as there are processors). An error is only ever the context's. It panics for top < 1.
//
// O(Σ_u |S_u|²) over the users' training rows S_u; memory O(I) a worker beside the result.
func Cosine(ctx context.Context, train *dataset.Matrix, top, workers int) (*model.ItemLinks, error) {
	return cosine(ctx, train, nil, top, workers)
}

// cosine is Cosine for some targets, nil for all.
func cosine(ctx context.Context, train *dataset.Matrix, targets []int, top, workers int) (*model.ItemLinks, error) {
	users := train.Transpose()
	return collect(ctx, train.Cols, targets, top, workers, func() func(i int, heap *eval.Heap) {
		common := make([]int32, train.Cols) // |U_i ∩ U_j|, zero between targets
		var touched []int32
		return func(i int, heap *eval.Heap) {
			touched = touched[:0]
			for _, u := range users.Row(i) {
				for _, j := range train.Row(int(u)) {
					if common[j] == 0 {
						touched = append(touched, j)
					}
					common[j]++
				}
			}
			ni := float64(len(users.Row(i)))
			for _, j := range touched {
				if int(j) != i {
					heap.Offer(j, float32(float64(common[j])/math.Sqrt(ni*float64(len(users.Row(int(j)))))))
				}
				common[j] = 0
			}
		}
	})
}

// EASE returns the part of the top sources j of every target i by the weights B_ji > 0 of baseline.EASE with the given
// λ, ties to the lower j. γ is 1. Negative weights are left out: dropping all but the largest would tear them from what
// they balance. It costs and refuses what baseline.EASE does, and panics for top < 1.
func EASE(ctx context.Context, train *dataset.Matrix, lambda float64, top, workers int) (*model.ItemLinks, error) {
	return ease(ctx, train, nil, lambda, top, workers)
}

// ease is EASE for some targets, nil for all.
func ease(ctx context.Context, train *dataset.Matrix, targets []int, lambda float64, top,
	workers int) (*model.ItemLinks, error) {
	n := train.Cols
	weights, err := baseline.EASEWeights(train, lambda)
	if err != nil {
		return nil, err
	}
	return collect(ctx, n, targets, top, workers, func() func(i int, heap *eval.Heap) {
		return func(i int, heap *eval.Heap) {
			for j := range n {
				if w := weights[j*n+i]; w > 0 {
					heap.Offer(int32(j), w)
				}
			}
		}
	})
}

// collect calls offer for each target of n items, which offers the target's sources to heap, and keeps the top of them.
// targets are those that are asked for, nil for all n; the others have no sources. start is called once a goroutine and
// makes its working memory.
func collect(ctx context.Context, n int, targets []int, top, workers int,
	start func() (offer func(i int, heap *eval.Heap))) (*model.ItemLinks, error) {
	if top < 1 {
		panic(fmt.Sprintf("itemlinks: top is %d and must be at least 1", top))
	}
	rows, asked := make([][]eval.Scored, n), n
	if targets != nil {
		asked = len(targets)
	}
	if err := parallel.Each(ctx, asked, workers, func() func(i int) {
		offer, heap := start(), eval.NewHeap(min(top, n))
		return func(i int) {
			if targets != nil {
				i = targets[i]
			}
			heap.Reset()
			offer(i, heap)
			rows[i] = slices.Clone(heap.Sorted())
		}
	}); err != nil {
		return nil, fmt.Errorf("finding the item-item part: %w", context.Cause(ctx))
	}
	p := &model.ItemLinks{Gamma: 1, Offsets: make([]int32, 1, n+1)}
	for _, row := range rows {
		slices.SortFunc(row, func(a, b eval.Scored) int { return int(a.Item - b.Item) })
		for _, s := range row {
			p.Sources = append(p.Sources, s.Item)
			p.Weights = append(p.Weights, s.Score)
		}
		p.Offsets = append(p.Offsets, int32(len(p.Sources)))
	}
	return p, nil
}
