package baseline

import (
	"context"
	"fmt"
	"math"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// SLIM is a sparse linear model of items. With X the U×I training matrix and x_i its column of item i, the weights of
// every target i are the minimum of
//
//	½‖x_i − Xw‖² + ½·l2·‖w‖² + l1·‖w‖₁   with w ≥ 0 and w_i = 0,   score(u,i) = Σ_{j∈S_u} w_ij
//
// found by coordinate descent on the counts XᵀX, until no weight moves by more than 10⁻⁴ of the largest or all passes
// are done. Only items that share more than l1 users with the target can have a weight, because with w ≥ 0 the slope at
// 0 is at most that count less l1. Source: Ning, Karypis, "SLIM: Sparse Linear Methods for Top-N Recommender Systems",
// ICDM 2011; the descent follows Friedman, Hastie, Tibshirani, J. Stat. Softw. 2010.
//
// O(Σ_u |S_u|² + passes·Σ weights·pairs of their source) time, on all CPUs; while fitting, 8 bytes for each pair of
// items that share users. It keeps train. It returns an OptionError for settings that the registry refuses, and an
// error for too many pairs.
func SLIM(train *dataset.Matrix, l1, l2 float64, passes int) (eval.Scorer, error) {
	return scorer(fitSLIM(context.Background(), train, l1, l2, passes, 0))
}

// slimTolerance ends a descent: the largest step of a pass, relative to the largest weight.
const slimTolerance = 1e-4

func fitSLIM(ctx context.Context, train *dataset.Matrix, l1, l2 float64, passes, workers int) (*itemKNN, error) {
	switch {
	case !(l1 >= 0) || math.IsInf(l1, 0):
		return nil, OptionError{Method: "slim", Option: "l1", Value: l1, Rule: "a number of at least 0"}
	case !(l2 >= 0) || math.IsInf(l2, 0):
		return nil, OptionError{Method: "slim", Option: "l2", Value: l2, Rule: "a number of at least 0"}
	case passes < 1:
		return nil, OptionError{Method: "slim", Option: "passes", Value: float64(passes), Rule: "at least 1"}
	}
	one := make([]float64, train.Rows())
	for u := range one {
		one[u] = 1
	}
	counts, err := newPairs(ctx, train, one, workers, func(_, _ int32, sum float64) float32 { return float32(sum) })
	if err != nil {
		return nil, fmt.Errorf("SLIM: %w", err)
	}
	degree := make([]float32, train.Cols)
	for _, i := range train.Indices {
		degree[i]++
	}
	kept := make([][]eval.Scored, train.Cols)
	err = each(ctx, train.Cols, workers, func() func(int) {
		d := &slimDescent{counts: counts, degree: degree, l1: float32(l1), l2: float32(l2), passes: passes,
			slope: make([]float32, train.Cols), weight: make([]float32, train.Cols)}
		return func(i int) { kept[i] = d.of(i) }
	})
	if err != nil {
		return nil, fmt.Errorf("SLIM: %w", err)
	}
	return bySource(train, kept), nil
}

// slimDescent is the scratch memory of one goroutine.
type slimDescent struct {
	counts *pairs // XᵀX
	degree []float32
	l1, l2 float32
	passes int
	slope  []float32 // I: (XᵀX)_ij − Σ_k (XᵀX)_jk·w_k
	weight []float32 // I: zero between calls
}

// of returns the positive weights of the target i.
func (d *slimDescent) of(i int) (kept []eval.Scored) {
	clear(d.slope)
	var active []int32
	for k, j := range d.counts.at[i] {
		n := d.counts.value[i][k]
		d.slope[j] = n
		if int(j) != i && n > d.l1 {
			active = append(active, j)
		}
	}
	for range d.passes {
		var most, largest float32
		for _, j := range active {
			old := d.weight[j]
			w := max(0, d.slope[j]+d.degree[j]*old-d.l1) / (d.degree[j] + d.l2)
			largest = max(largest, w)
			step := w - old
			if step == 0 {
				continue
			}
			most = max(most, step, -step)
			d.weight[j] = w
			values := d.counts.value[j]
			for k, other := range d.counts.at[j] {
				d.slope[other] -= step * values[k]
			}
		}
		if most <= slimTolerance*largest {
			break
		}
	}
	for _, j := range active {
		if w := d.weight[j]; w > 0 {
			kept = append(kept, eval.Scored{Score: w, Item: j})
		}
		d.weight[j] = 0
	}
	return kept
}
