package itemlinks

import (
	"context"
	"fmt"
	"slices"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/cosine"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/model"
)

// Cosine returns the links of the top sources j ≠ i of every target i by
//
//	B_ji = cos(i,j) = |U_i ∩ U_j| / √(|U_i|·|U_j|)
//
// in the training matrix (U×I), without cosines of 0; ties go to the lower j. γ is 1. workers is the number of
// goroutines, 0 for one per CPU; it does not change the result. The only possible error is ctx's. Cosine panics for top
// < 1.
//
// O(Σ_u |S_u|²) over the users' training rows S_u; memory O(I) per worker beyond the result.
func Cosine(ctx context.Context, train *dataset.Matrix, top, workers int) (*model.ItemLinks, error) {
	return nearest(ctx, train, nil, top, workers)
}

// nearest is Cosine for some targets; nil: all.
func nearest(ctx context.Context, train *dataset.Matrix, targets []int, top, workers int) (*model.ItemLinks, error) {
	items := cosine.NewItems(train)
	return one(collect(ctx, train.Cols, targets, []int{top}, workers, func() func(i int, heaps []*eval.Heap) {
		search := items.Search()
		return func(i int, heaps []*eval.Heap) { search(i, heaps[0]) }
	}))
}

// CosineOf returns the cosine of two items with target and source users; common is the number of users who have both.
func CosineOf(common, target, source int) float32 { return cosine.Similarity(common, target, source) }

// EASE returns the links of the top sources j of every target i by the weights B_ji > 0 of baseline.EASE with the given
// λ; ties go to the lower j. γ is 1. Negative weights are omitted, because keeping only the largest weights would
// separate them from the weights that they balance. EASE has the cost and the errors of baseline.EASE. It panics for
// top < 1.
func EASE(ctx context.Context, train *dataset.Matrix, lambda float64, top, workers int) (*model.ItemLinks, error) {
	return one(ease(ctx, train, nil, Recipe{Lambda: lambda}, []int{top}, workers))
}

// ease is EASE for some targets (nil: all), with the regulariser of r and each of several numbers of sources.
func ease(ctx context.Context, train *dataset.Matrix, targets []int, r Recipe, tops []int, workers int) (
	[]*model.ItemLinks, error) {
	fit, err := baseline.FitLinear(ctx, train, baseline.LinearSettings{Lambda: r.Lambda, Dropout: r.Dropout}, workers)
	if err != nil {
		return nil, err
	}
	n := train.Cols
	return collect(ctx, n, targets, tops, workers, func() func(i int, heaps []*eval.Heap) {
		return func(i int, heaps []*eval.Heap) {
			for j := range n {
				if w := fit.Weight(j, i); w > 0 {
					for _, h := range heaps {
						h.Offer(int32(j), w)
					}
				}
			}
		}
	})
}

// collect returns one set of links for each of tops. For each of the targets (nil: all n items), offer offers the
// sources to one heap per set, which keeps the best. Other items have no sources. start is called once per goroutine
// and allocates its scratch memory.
func collect(ctx context.Context, n int, targets, tops []int, workers int,
	start func() (offer func(i int, heaps []*eval.Heap))) ([]*model.ItemLinks, error) {
	rows, asked := make([][][]eval.Scored, len(tops)), n
	for k, top := range tops {
		if top < 1 {
			panic(fmt.Sprintf("itemlinks: top is %d and must be at least 1", top))
		}
		rows[k] = make([][]eval.Scored, n)
	}
	if targets != nil {
		asked = len(targets)
	}
	if err := parallel.Each(ctx, asked, workers, func() func(i int) {
		offer, heaps := start(), make([]*eval.Heap, len(tops))
		for k, top := range tops {
			heaps[k] = eval.NewHeap(min(top, n))
		}
		return func(i int) {
			if targets != nil {
				i = targets[i]
			}
			for _, h := range heaps {
				h.Reset()
			}
			offer(i, heaps)
			for k, h := range heaps {
				rows[k][i] = slices.Clone(h.Sorted())
			}
		}
	}); err != nil {
		return nil, fmt.Errorf("finding item links: %w", context.Cause(ctx))
	}
	parts := make([]*model.ItemLinks, len(tops))
	for k := range parts {
		parts[k] = linksOf(rows[k])
	}
	return parts, nil
}

// linksOf sorts the rows and returns them as links with γ = 1.
func linksOf(rows [][]eval.Scored) *model.ItemLinks {
	p := &model.ItemLinks{Gamma: 1, Offsets: make([]int32, 1, len(rows)+1)}
	for _, row := range rows {
		slices.SortFunc(row, func(a, b eval.Scored) int { return int(a.Item - b.Item) })
		for _, s := range row {
			p.Sources = append(p.Sources, s.Item)
			p.Weights = append(p.Weights, s.Score)
		}
		p.Offsets = append(p.Offsets, int32(len(p.Sources)))
	}
	return p
}

// one returns the only element.
func one(parts []*model.ItemLinks, err error) (*model.ItemLinks, error) {
	if err != nil {
		return nil, err
	}
	return parts[0], nil
}
