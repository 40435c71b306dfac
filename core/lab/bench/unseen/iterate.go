package main

import (
	"context"
	"math"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/internal/vec"
)

// system solves A·x = s for A = Xᵀ·diag(n_u^−β)·X + Λ by conjugate gradients, for catalogues whose inverse is too much
// for the machine. With it, LAE scores users without P, and EASE needs only P's diagonal.
type system struct {
	settings     baseline.LinearSettings
	train, items *dataset.Matrix // U×I and its transpose
	weight       []float32       // U: n_u^−β
	ones         []float32       // U
	penalty      []float32       // I: Λ_i
	jacobi       []float32       // I: 1/A_ii, the preconditioner
	source       []float32       // I: n_i^α
	target       []float32       // I: the factor of (P·s)_i in the score
}

// block is the number of right sides solved together.
const block = 64

// tolerance ends an iteration: the residual relative to the right side, in the preconditioner's norm.
const tolerance = 1e-4

func newSystem(ctx context.Context, train *dataset.Matrix, s baseline.LinearSettings) (*system, error) {
	y := &system{settings: s, train: train, items: train.Transpose()}
	y.weight, y.ones = make([]float32, train.Rows()), make([]float32, train.Rows())
	for u := range y.weight {
		y.weight[u], y.ones[u] = float32(s.UserWeight(len(train.Row(u)))), 1
	}
	n := train.Cols
	y.penalty, y.jacobi = make([]float32, n), make([]float32, n)
	y.source, y.target = make([]float32, n), make([]float32, n)
	for i := range n {
		users := y.items.Row(i)
		diagonal := float32(s.Penalty(len(users)))
		y.penalty[i], y.source[i] = diagonal, float32(s.Scale(len(users)))
		for _, u := range users {
			diagonal += y.weight[u]
		}
		y.jacobi[i] = 1 / diagonal
	}
	inverse := make([]float32, n) // P_ii, unless it does not matter
	if s.Relax < 1 {
		if err := y.each(ctx, n, func(first, count int, right []float32) {
			for k := range count {
				right[(first+k)*block+k] = 1
			}
		}, func(first, count int, x []float32) {
			for k := range count {
				inverse[first+k] = x[(first+k)*block+k]
			}
		}); err != nil {
			return nil, err
		}
	}
	for i := range n {
		f := y.penalty[i]
		if s.Relax < 1 {
			f = max(f, float32(1-s.Relax)/inverse[i])
		}
		y.target[i] = -f / y.source[i]
	}
	return y, nil
}

// each solves for n right sides in blocks: fill writes those from first on into a matrix of zeros (I×block), and use
// reads x.
func (y *system) each(ctx context.Context, n int, fill, use func(first, count int, matrix []float32)) error {
	return parallel.Each(ctx, (n+block-1)/block, 0, func() func(int) {
		size := y.train.Cols * block
		right, x, direction, image := make([]float32, size), make([]float32, size), make([]float32, size),
			make([]float32, size)
		users := make([]float32, y.train.Rows()*block)
		return func(at int) {
			first := at * block
			count := min(block, n-first)
			clear(right)
			fill(first, count, right)
			y.solve(right, x, direction, image, users)
			use(first, count, x)
		}
	})
}

// apply writes A·v to image.
func (y *system) apply(v, image, users []float32) {
	for u := range y.train.Rows() {
		row := y.train.Row(u)
		vec.SumRows(users[u*block:(u+1)*block], y.ones[:len(row)], v, row)
	}
	weights := make([]float32, 0, 4096)
	for i := range y.train.Cols {
		row := y.items.Row(i)
		weights = weights[:0]
		for _, u := range row {
			weights = append(weights, y.weight[u])
		}
		vec.SumRows(image[i*block:(i+1)*block], weights, users, row)
		vec.Axpy(y.penalty[i], v[i*block:(i+1)*block], image[i*block:(i+1)*block])
	}
}

// solve writes x. right becomes the residual.
func (y *system) solve(right, x, direction, image, users []float32) {
	n := y.train.Cols
	var before, begin, step [block]float64
	clear(x)
	product := func(a, b []float32, scale []float32) (sum [block]float64) {
		for i := range n {
			f := float32(1)
			if scale != nil {
				f = scale[i]
			}
			for k := range block {
				sum[k] += float64(f * a[i*block+k] * b[i*block+k])
			}
		}
		return sum
	}
	for i := range n {
		for k := range block {
			direction[i*block+k] = y.jacobi[i] * right[i*block+k]
		}
	}
	before = product(right, right, y.jacobi)
	begin = before
	for range 200 {
		y.apply(direction, image, users)
		curve := product(direction, image, nil)
		for k := range block {
			if step[k] = 0; curve[k] > 0 {
				step[k] = before[k] / curve[k]
			}
		}
		for i := range n {
			for k := range block {
				at := i*block + k
				x[at] += float32(step[k]) * direction[at]
				right[at] -= float32(step[k]) * image[at]
			}
		}
		now := product(right, right, y.jacobi)
		worst := 0.0
		for k := range block {
			if begin[k] > 0 {
				worst = max(worst, math.Sqrt(now[k]/begin[k]))
			}
			if step[k] = 0; before[k] > 0 {
				step[k] = now[k] / before[k]
			}
		}
		if before = now; worst < tolerance {
			return
		}
		for i := range n {
			for k := range block {
				at := i*block + k
				direction[at] = y.jacobi[i]*right[at] + float32(step[k])*direction[at]
			}
		}
	}
}

// scorer returns the scores of users with these likes, all computed at once: 4·I bytes for each user with likes.
func (y *system) scorer(ctx context.Context, likes *dataset.Matrix) (eval.Scorer, error) {
	t := table{items: y.train.Cols, scores: make([][]float32, likes.Rows())}
	var users []int
	for u := range likes.Rows() {
		if len(likes.Row(u)) > 0 {
			users = append(users, u)
			t.scores[u] = make([]float32, y.train.Cols)
		}
	}
	return t, y.each(ctx, len(users), func(first, count int, right []float32) {
		for k, u := range users[first : first+count] {
			for _, j := range likes.Row(u) {
				right[int(j)*block+k] = y.source[j]
			}
		}
	}, func(first, count int, x []float32) {
		for k, u := range users[first : first+count] {
			for i, f := range y.target {
				t.scores[u][i] = f * x[i*block+k]
			}
		}
	})
}

// table is a scorer of scores that are known. The likes themselves have scores too, which evaluations leave out.
type table struct {
	items  int
	scores [][]float32
}

func (t table) NumItems() int                 { return t.items }
func (t table) Score(user int, dst []float32) { copy(dst, t.scores[user]) }
