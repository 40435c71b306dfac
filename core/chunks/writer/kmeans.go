package writer

import (
	"context"
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// points are n rows of w numbers.
type points struct {
	data []float32
	w    int
}

func (p points) len() int            { return len(p.data) / p.w }
func (p points) row(i int) []float32 { return p.data[i*p.w : (i+1)*p.w : (i+1)*p.w] }

// mean returns the mean of some of the rows. O(n·w).
func (p points) mean(of []int) []float32 {
	mean := make([]float32, p.w)
	for _, i := range of {
		vec.Axpy(1, p.row(i), mean)
	}
	for d := range mean {
		mean[d] /= float32(len(of))
	}
	return mean
}

func (p points) means(clusters [][]int) points {
	out := points{make([]float32, 0, len(clusters)*p.w), p.w}
	for _, of := range clusters {
		out.data = append(out.data, p.mean(of)...)
	}
	return out
}

// clusters divides some of the rows into at most k clusters by k-means steps from randomly chosen rows. No cluster is
// empty, and each lists its rows in order. The result depends only on the rows and r, not on the workers.
// O(steps·n·k·w).
func (p points) clusters(ctx context.Context, of []int, k, steps, workers int, r *rand.Rand) ([][]int, error) {
	if k <= 1 {
		return [][]int{of}, ctx.Err()
	}
	k = min(k, len(of))
	start := make([]float32, 0, k*p.w)
	for _, at := range r.Perm(len(of))[:k] {
		start = append(start, p.row(of[at])...)
	}
	centres, out := points{start, p.w}, [][]int(nil)
	for range steps {
		nearest := make([]int32, len(of))
		parallelDo(workers, len(of), func(from, to int) {
			d := make([]float32, k)
			for at := from; at < to; at++ {
				vec.SquaredDistances(d[:centres.len()], p.row(of[at]), centres.data)
				nearest[at] = int32(argmin(d[:centres.len()]))
			}
		})
		out = gather(of, nearest, centres.len())
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		centres = p.means(out)
	}
	return out, nil
}

func parallelDo(workers, n int, do func(from, to int)) {
	parallel.Do(parallel.Workers(workers), n, func(_, _, from, to int) { do(from, to) })
}

// gather lists the rows of each cluster, given each row's cluster number, and drops empty clusters.
func gather(of []int, number []int32, clusters int) [][]int {
	out := make([][]int, clusters)
	for at, c := range number {
		out[c] = append(out[c], of[at])
	}
	return slices.DeleteFunc(out, func(c []int) bool { return len(c) == 0 })
}

// argmin returns the index of the smallest number.
func argmin(x []float32) (at int) {
	for i, v := range x {
		if v < x[at] {
			at = i
		}
	}
	return at
}
