package layout

import (
	"context"
	"slices"

	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// Rows are n points of the same number of dimensions, one after another.
type Rows struct {
	Data  []float32 // n×Width
	Width int
}

// W2 returns the items' rows θ = [μ; s], between which the Euclidean distance is W2. They share t's memory.
func W2(t *gaussian.Table) Rows { return Rows{t.Data(), 2 * t.Dim()} }

// Means returns the items' means alone. O(I·h).
func Means(t *gaussian.Table) Rows {
	r := Rows{make([]float32, 0, t.Len()*t.Dim()), t.Dim()}
	for i := range t.Len() {
		r.Data = append(r.Data, t.Mean(i)...)
	}
	return r
}

// Len returns n.
func (r Rows) Len() int { return len(r.Data) / r.Width }

// Row returns point i. It shares the memory.
func (r Rows) Row(i int) []float32 { return vec.Row(r.Data, i, r.Width) }

// neighbour is another point and the squared distance to it.
type neighbour struct {
	square float32
	point  int32
}

// nearer orders by distance; ties go to the lower index.
func (a neighbour) nearer(b neighbour) bool {
	return a.square < b.square || a.square == b.square && a.point < b.point
}

// Sizes of the blocks in which distances are computed: so many rows stay in the cache for so many queries.
const (
	queryBlock = 32
	rowBlock   = 512
)

// nearest calls done with the k nearest other points of each of the points in of, the nearest first; k is less than the
// number of points. The neighbours belong to the callee for the duration of the call. Which goroutine calls is open;
// the neighbours are the same for any number of workers. O(len(of)·n·width).
func nearest(ctx context.Context, rows Rows, of []int32, k, workers int, done func(at int, found []neighbour)) error {
	blocks := (len(of) + queryBlock - 1) / queryBlock
	return parallel.Each(ctx, blocks, workers, func() func(int) {
		squares := make([]float32, rowBlock)
		heaps := make([]heap, queryBlock)
		return func(block int) {
			from := block * queryBlock
			queries := of[from:min(from+queryBlock, len(of))]
			for q := range queries {
				heaps[q].size, heaps[q].all = k, heaps[q].all[:0]
			}
			for first := 0; first < rows.Len(); first += rowBlock {
				m := min(rowBlock, rows.Len()-first)
				part := rows.Data[first*rows.Width : (first+m)*rows.Width]
				for q, i := range queries {
					vec.SquaredDistances(squares[:m], rows.Row(int(i)), part)
					for j, s := range squares[:m] {
						if p := int32(first + j); p != i {
							heaps[q].offer(neighbour{s, p})
						}
					}
				}
			}
			for q := range queries {
				found := heaps[q].all
				slices.SortFunc(found, func(a, b neighbour) int {
					if a.nearer(b) {
						return -1
					}
					return 1
				})
				done(from+q, found)
			}
		}
	})
}

// heap keeps the size nearest of the neighbours that it is offered, the farthest of them first.
type heap struct {
	size int
	all  []neighbour
}

func (h *heap) offer(n neighbour) {
	if len(h.all) < h.size {
		h.all = append(h.all, n)
		for at := len(h.all) - 1; at > 0; {
			up := (at - 1) / 2
			if !h.all[up].nearer(h.all[at]) {
				return
			}
			h.all[up], h.all[at] = h.all[at], h.all[up]
			at = up
		}
		return
	}
	if !n.nearer(h.all[0]) {
		return
	}
	at := 0
	for {
		down := 2*at + 1
		if down+1 < h.size && h.all[down].nearer(h.all[down+1]) {
			down++
		}
		if down >= h.size || !n.nearer(h.all[down]) {
			break
		}
		h.all[at] = h.all[down]
		at = down
	}
	h.all[at] = n
}

// everyPoint returns 0 to n−1.
func everyPoint(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}
