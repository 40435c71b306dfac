package tastemap

import (
	"context"
	"math"
	"slices"
	"sync"

	"github.com/pmlam/pmlam/core/internal/vec"
)

// affinities is the sparse symmetric matrix P of t-SNE (van der Maaten 2014):
//
//	p_j|i = exp(−β_i d²_ij) / Σ_k exp(−β_i d²_ik)        over the 3·perplexity nearest j of i
//	P_ij  = (p_j|i + p_i|j) / 2n
//
// where β_i gives p_·|i the entropy ln(perplexity). All of P sums to 1. Row i has the columns
// column[start[i]:start[i+1]], ascending.
type affinities struct {
	start  []int
	column []int32
	p      []float64
}

// newAffinities computes P of the points. It calls progress with the number of points whose neighbours are found, at
// times, from one goroutine at a time. O(n²·width + n·perplexity).
func newAffinities(ctx context.Context, rows Rows, perplexity float64, workers int, progress func(found int)) (
	*affinities, error) {
	n := rows.Len()
	k := min(int(3*perplexity), n-1)
	points, given := make([]int32, n*k), make([]float64, n*k)
	var one sync.Mutex
	done := 0
	progress(0)
	if err := nearest(ctx, rows, everyPoint(n), k, workers, func(i int, found []neighbour) {
		squares := given[i*k : (i+1)*k]
		for j, f := range found {
			points[i*k+j], squares[j] = f.Item, float64(-f.Score)
		}
		conditional(squares, perplexity)
		one.Lock()
		defer one.Unlock()
		if done++; done%queryBlock == 0 {
			progress(done)
		}
	}); err != nil {
		return nil, err
	}
	return symmetric(n, k, points, given), nil
}

const (
	entropySteps = 64   // halvings of the interval of β
	entropyError = 1e-6 // of the entropy
)

// conditional turns the ascending squared distances of a point's neighbours into p_·|i. It needs perplexity ≤ len(d).
// Equally distant neighbours get equal shares.
func conditional(d []float64, perplexity float64) {
	want := vec.Log(min(perplexity, float64(len(d))))
	least := d[0]
	mean := 0.0
	for j := range d {
		d[j] -= least // does not change p_·|i, and keeps one weight at 1
		mean += d[j] / float64(len(d))
	}
	p := make([]float64, len(d))
	if !(mean > 0) {
		for j := range d {
			d[j] = 1 / float64(len(d))
		}
		return
	}
	beta, low, high := 1/mean, 0.0, math.Inf(1)
	sum := 0.0
	for range entropySteps {
		sum = 0
		weighted := 0.0
		for j, s := range d {
			p[j] = float64(vec.Exp(float32(-beta * s)))
			sum += p[j]
			weighted += float64(s * p[j])
		}
		entropy := vec.Log(sum) + float64(beta*weighted)/sum
		if math.Abs(entropy-want) < entropyError {
			break
		}
		if entropy > want {
			low = beta
			if beta *= 2; high < math.Inf(1) {
				beta = (low + high) / 2
			}
		} else {
			high = beta
			beta = (low + high) / 2
		}
	}
	for j := range d {
		d[j] = p[j] / sum
	}
}

// symmetric returns P for n points with k neighbours each and their p_j|i.
func symmetric(n, k int, points []int32, given []float64) *affinities {
	// Each point's own neighbours, and the points that have it as a neighbour: at most two entries for a pair, which
	// are added.
	start := make([]int, n+1)
	for at, j := range points {
		start[at/k+1]++
		start[j+1]++
	}
	for i := range n {
		start[i+1] += start[i]
	}
	type entry struct {
		column int32
		p      float64
	}
	entries := make([]entry, 2*n*k)
	next := slices.Clone(start[:n])
	put := func(i, j int32, p float64) {
		entries[next[i]] = entry{j, p}
		next[i]++
	}
	for at, j := range points {
		i := int32(at / k)
		p := given[at] / float64(2*n)
		put(i, j, p)
		put(j, i, p)
	}
	a := &affinities{start: make([]int, n+1)}
	for i := range n {
		row := entries[start[i]:start[i+1]]
		slices.SortStableFunc(row, func(a, b entry) int { return int(a.column) - int(b.column) })
		for x, e := range row {
			if x > 0 && row[x-1].column == e.column {
				a.p[len(a.p)-1] += e.p
			} else {
				a.column, a.p = append(a.column, e.column), append(a.p, e.p)
			}
		}
		a.start[i+1] = len(a.column)
	}
	return a
}
