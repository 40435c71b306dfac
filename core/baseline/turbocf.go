package baseline

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// TurboCF is a polynomial low-pass filter on the graph of items, in closed form. With n_u the number of items of user u
// and d_i the number of users of item i,
//
//	R̃_ui = n_u^−α · d_i^(α−1) where u has i, 0 elsewhere,   P = R̃ᵀR̃,   P̄_ij = P_ij^power
//	score(u,·) = r_u·H,   H = P̄ (order 1), 2P̄ − P̄² (2), P̄ + 0.01·(−P̄³ + 10P̄² − 29P̄) (3)
//
// where r_u is the user's row of 0 and 1. Source: Park, Shin, Shin, "Turbo-CF: Matrix Decomposition-Free Graph
// Filtering for Fast Recommendation", SIGIR 2024.
//
// With a power other than 1 it builds the matrix P̄: O(Σ_u |S_u|²) time and 8 bytes for each pair of items that share
// users. A user costs O(I + Σ_{j∈S_u} pairs of j), and each further order a pass over all pairs. With the power 1 it
// builds nothing, and a user costs O(order·nnz). It keeps train. It returns an OptionError for settings that the
// registry refuses, and an error for too many pairs.
func TurboCF(train *dataset.Matrix, alpha, power float64, order int) (eval.Scorer, error) {
	return scorer(fitTurboCF(context.Background(), train, alpha, power, order, 0))
}

type turboCF struct {
	history      *dataset.Matrix // U×I: the likes that are scored by
	train, users *dataset.Matrix
	user         []float32  // U: n_u^−α, 0 without items
	item         []float32  // I: d_i^(α−1)
	p            *pairs     // P̄; nil with the power 1
	filter       []float32  // coefficients of P̄, P̄², …
	scratch      *sync.Pool // *turboScratch
}

// turboScratch is the scratch memory of one score.
type turboScratch struct {
	x, y []float32 // I
	t    []float32 // U
}

// turboFilters are the polynomials by their order.
var turboFilters = [][]float32{{1}, {2, -1}, {1 - .29, .1, -.01}}

func fitTurboCF(
	ctx context.Context, train *dataset.Matrix, alpha, power float64, order, workers int,
) (*turboCF, error) {
	switch {
	case !(alpha >= 0 && alpha <= 1):
		return nil, OptionError{Method: "turbocf", Option: "alpha", Value: alpha, Rule: "from 0 to 1"}
	case !(power > 0 && power <= 4):
		return nil, OptionError{Method: "turbocf", Option: "power", Value: power, Rule: "above 0 and at most 4"}
	case order < 1 || order > len(turboFilters):
		return nil, OptionError{Method: "turbocf", Option: "order", Value: float64(order), Rule: "1, 2 or 3"}
	}
	s := &turboCF{history: train, train: train, users: train.Transpose(), filter: turboFilters[order-1],
		user: make([]float32, train.Rows()), item: make([]float32, train.Cols)}
	squared := make([]float64, train.Rows()) // n_u^−2α
	for u := range s.user {
		if n := len(train.Row(u)); n > 0 {
			squared[u] = math.Pow(float64(n), -2*alpha)
			s.user[u] = float32(math.Pow(float64(n), -alpha))
		}
	}
	degree := make([]float64, train.Cols) // d_i^(α−1)
	for i := range degree {
		if d := len(s.users.Row(i)); d > 0 {
			degree[i] = math.Pow(float64(d), alpha-1)
			s.item[i] = float32(degree[i])
		}
	}
	s.scratch = &sync.Pool{New: func() any {
		return &turboScratch{make([]float32, train.Cols), make([]float32, train.Cols), make([]float32, train.Rows())}
	}}
	if power == 1 {
		return s, nil
	}
	var err error
	s.p, err = newPairs(ctx, train, squared, workers, func(i, j int32, sum float64) float32 {
		return float32(math.Pow(degree[i]*degree[j]*sum, power))
	})
	if err != nil {
		return nil, fmt.Errorf("Turbo-CF: %w", err)
	}
	return s, nil
}

func (s *turboCF) NumItems() int { return s.train.Cols }

func (s *turboCF) Score(user int, dst []float32) {
	w := s.scratch.Get().(*turboScratch)
	defer s.scratch.Put(w)
	clear(w.x)
	for _, i := range s.history.Row(user) {
		w.x[i] = 1
	}
	dst = dst[:s.train.Cols]
	clear(dst)
	for _, c := range s.filter {
		if s.p == nil {
			s.walk(w)
		} else {
			s.multiply(w)
		}
		w.x, w.y = w.y, w.x
		for i, x := range w.x {
			dst[i] += c * x
		}
	}
}

// multiply writes P̄x to y. P̄ is symmetric.
func (s *turboCF) multiply(w *turboScratch) {
	clear(w.y)
	for j, x := range w.x {
		if x == 0 {
			continue
		}
		values := s.p.value[j]
		for k, i := range s.p.at[j] {
			w.y[i] += x * values[k]
		}
	}
}

// walk writes R̃ᵀ(R̃x) to y.
func (s *turboCF) walk(w *turboScratch) {
	for j, d := range s.item {
		w.x[j] *= d
	}
	for u, n := range s.user {
		sum := float32(0)
		for _, j := range s.train.Row(u) {
			sum += w.x[j]
		}
		w.t[u] = sum * n * n
	}
	for i, d := range s.item {
		sum := float32(0)
		for _, u := range s.users.Row(i) {
			sum += w.t[u]
		}
		w.y[i] = sum * d
	}
}
