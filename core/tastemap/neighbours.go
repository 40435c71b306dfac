package tastemap

import (
	"context"
	"math"
	"slices"

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
// goroutines; the neighbours are the same for any number of workers. O(len(of)·n·width), by a product of matrices
// unless rows are narrow: distances are computed only where the product does not rule out a neighbour.
func nearest(ctx context.Context, rows Rows, of []int32, k, workers int, done func(at int, found []neighbour)) error {
	blocks := (len(of) + queryBlock - 1) / queryBlock
	norms := make([]float32, rows.Len())
	for i := range norms {
		norms[i] = vec.Dot(rows.Row(i), rows.Row(i))
	}
	return parallel.Each(ctx, blocks, workers, func() func(int) {
		s := newSearch(rows, norms, k)
		return func(block int) {
			from := block * queryBlock
			queries := of[from:min(from+queryBlock, len(of))]
			s.run(queries)
			for q := range queries {
				s.keep(q)
				found := s.found[q]
				slices.SortFunc(found, func(a, b neighbour) int {
					if a.Before(b) {
						return -1
					}
					return 1
				})
				done(from+q, found)
			}
		}
	})
}

// narrowRows is the width below which distances cost no more than their estimates.
const narrowRows = 16

// search finds the nearest points of a block of queries.
type search struct {
	rows     Rows
	norms    []float32 // n: of the rows
	k        int
	found    [queryBlock][]neighbour // of each query: the k nearest so far, and further points near enough
	limit    [queryBlock]float32     // square of the distance that a further point must be below
	queries  []float32               // width×queryBlock, transposed
	products []float32               // rowBlock×queryBlock
	squares  []float32               // rowBlock
}

func newSearch(rows Rows, norms []float32, k int) *search {
	s := &search{rows: rows, norms: norms, k: k, squares: make([]float32, rowBlock)}
	if rows.Width >= narrowRows {
		s.queries, s.products = make([]float32, rows.Width*queryBlock), make([]float32, rowBlock*queryBlock)
	}
	return s
}

// offer considers point p, which is above all points offered to the query before.
func (s *search) offer(q int, p int32, square float32) {
	const room = 4
	if s.found[q] = append(s.found[q], neighbour{Score: -square, Item: p}); len(s.found[q]) >= room*s.k {
		s.keep(q)
	}
}

// keep drops all but the k nearest.
func (s *search) keep(q int) {
	if s.found[q] = topk.Select(s.found[q], s.k); len(s.found[q]) == s.k {
		s.limit[q] = 0
		for _, f := range s.found[q] {
			s.limit[q] = max(s.limit[q], -f.Score)
		}
	}
}

// run fills found for the queries.
func (s *search) run(queries []int32) {
	width, n := s.rows.Width, s.rows.Len()
	for q := range s.found {
		s.found[q], s.limit[q] = s.found[q][:0], float32(math.Inf(1))
	}
	for q, i := range queries {
		for d, v := range s.rows.Row(int(i)) {
			if s.queries != nil {
				s.queries[d*queryBlock+q] = v
			}
		}
	}
	for first := 0; first < n; first += rowBlock {
		m := min(rowBlock, n-first)
		part := s.rows.Data[first*width : (first+m)*width]
		if s.queries != nil {
			s.byProducts(queries, first, m, part)
			continue
		}
		for q, i := range queries {
			vec.SquaredDistances(s.squares[:m], s.rows.Row(int(i)), part)
			for j, square := range s.squares[:m] {
				if p := int32(first + j); square < s.limit[q] && p != i {
					s.offer(q, p, square)
				}
			}
		}
	}
}

// byProducts offers the m points from first on to the queries. Rounding puts ‖x‖² + ‖y‖² − 2x·y off by less than the
// width times 8 units in the last place of ‖x‖² + ‖y‖².
func (s *search) byProducts(queries []int32, first, m int, part []float32) {
	width := s.rows.Width
	near := 1 - float32(width)*8*0x1p-24
	clear(s.products)
	vec.Gemm(s.products, queryBlock, part, width, 1, s.queries, queryBlock, m, queryBlock, width)
	for j := range m {
		p := int32(first + j)
		norm := s.norms[p]
		for q, product := range s.products[j*queryBlock : j*queryBlock+len(queries)] {
			i := queries[q]
			if (s.norms[i]+norm)*near-2*product < s.limit[q] && p != i {
				if square := vec.SquaredDistance(s.rows.Row(int(i)), s.rows.Row(int(p))); square < s.limit[q] {
					s.offer(q, p, square)
				}
			}
		}
	}
}

// everyPoint returns 0 to n−1.
func everyPoint(n int) []int32 {
	all := make([]int32, n)
	for i := range all {
		all[i] = int32(i)
	}
	return all
}
