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
	"github.com/pmlam/pmlam/core/internal/topk"
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
	return one(collect(ctx, train.Cols, targets, []int{top}, workers, func() func(i int, found [][]eval.Scored) {
		search, heap := items.Search(), eval.NewHeap(min(top, train.Cols))
		return func(i int, found [][]eval.Scored) {
			heap.Reset()
			search(i, heap)
			found[0] = heap.Sorted()
			slices.SortFunc(found[0], func(a, b eval.Scored) int { return int(a.Item - b.Item) })
		}
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
	return collect(ctx, train.Cols, targets, tops, workers, func() func(i int, found [][]eval.Scored) {
		var all []eval.Scored
		return func(i int, found [][]eval.Scored) {
			all = all[:0]
			for j := range train.Cols {
				if w := fit.Weight(j, i); w > 0 {
					all = append(all, eval.Scored{Score: w, Item: int32(j)})
				}
			}
			for k := range found {
				found[k] = all
			}
		}
	})
}

// collect returns one set of links for each of tops. For each of the targets (nil: all n items), find returns the
// sources to select each set's best from, ascending, in memory of its own. Other items have no sources. start is called
// once per goroutine and allocates its scratch memory.
func collect(ctx context.Context, n int, targets, tops []int, workers int,
	start func() (find func(i int, found [][]eval.Scored))) ([]*model.ItemLinks, error) {
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
		find, found := start(), make([][]eval.Scored, len(tops))
		var some []eval.Scored
		return func(i int) {
			if targets != nil {
				i = targets[i]
			}
			find(i, found)
			for k, all := range found {
				if len(all) <= tops[k] {
					rows[k][i] = slices.Clone(all)
					continue
				}
				some = topk.Select(append(some[:0], all...), tops[k])
				last := some[0]
				for _, s := range some {
					if last.Before(s) {
						last = s
					}
				}
				rows[k][i] = make([]eval.Scored, 0, tops[k])
				for _, s := range all {
					if !last.Before(s) {
						rows[k][i] = append(rows[k][i], s)
					}
				}
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

// linksOf returns the rows as links with γ = 1.
func linksOf(rows [][]eval.Scored) *model.ItemLinks {
	p := &model.ItemLinks{Gamma: 1, Offsets: make([]int32, len(rows)+1)}
	for i, row := range rows {
		p.Offsets[i+1] = p.Offsets[i] + int32(len(row))
	}
	p.Sources, p.Weights = make([]int32, 0, p.Offsets[len(rows)]), make([]float32, 0, p.Offsets[len(rows)])
	for _, row := range rows {
		for _, s := range row {
			p.Sources, p.Weights = append(p.Sources, s.Item), append(p.Weights, s.Score)
		}
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
