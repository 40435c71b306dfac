package tastemap

import (
	"context"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/topk"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// Rows are n points of the same dimension, stored one after another.
type Rows struct {
	Data  []float32 // n×Width
	Width int
}

// W2 returns the items' rows θ = [μ; s], whose Euclidean distance is W2. They share t's memory.
func W2(t *gaussian.Table) Rows { return Rows{t.Data(), 2 * t.Dim()} }

// Means returns a copy of the items' means. O(I·h).
func Means(t *gaussian.Table) Rows {
	r := Rows{make([]float32, 0, t.Len()*t.Dim()), t.Dim()}
	for i := range t.Len() {
		r.Data = append(r.Data, t.Mean(i)...)
	}
	return r
}

// Len returns n.
func (r Rows) Len() int { return len(r.Data) / r.Width }

// Row returns point i. It shares memory with r.
func (r Rows) Row(i int) []float32 { return vec.Row(r.Data, i, r.Width) }

// neighbour is another point and its negated squared distance, so that the nearest have the highest scores.
type neighbour = topk.Entry[float32]

// Sizes of the blocks in which distances are computed: this many rows stay in the cache for this many queries.
const (
	queryBlock = 32
	rowBlock   = 512
)

// nearest calls done with the k nearest other points of each of the points in of, the nearest first; k must be less
// than the number of points. The callee may use and change the slice only during the call. Calls come from several
// goroutines; the neighbours are the same for any number of workers. O(len(of)·n·width).
func nearest(ctx context.Context, rows Rows, of []int32, k, workers int, done func(at int, found []neighbour)) error {
	blocks := (len(of) + queryBlock - 1) / queryBlock
	return parallel.Each(ctx, blocks, workers, func() func(int) {
		squares := make([]float32, rowBlock)
		heaps := make([]topk.Heap[float32], queryBlock)
		return func(block int) {
			from := block * queryBlock
			queries := of[from:min(from+queryBlock, len(of))]
			for q := range queries {
				heaps[q].Resize(k)
			}
			for first := 0; first < rows.Len(); first += rowBlock {
				m := min(rowBlock, rows.Len()-first)
				part := rows.Data[first*rows.Width : (first+m)*rows.Width]
				for q, i := range queries {
					vec.SquaredDistances(squares[:m], rows.Row(int(i)), part)
					for j, s := range squares[:m] {
						if p := int32(first + j); p != i {
							heaps[q].Offer(p, -s)
						}
					}
				}
			}
			for q := range queries {
				done(from+q, heaps[q].Sorted())
			}
		}
	})
}

// everyPoint returns 0 to n−1.
func everyPoint(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}
