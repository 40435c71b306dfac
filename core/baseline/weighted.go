package baseline

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// weighted is ItemKNN over all neighbours, without storing their matrix: a score is a walk from the user's items to the
// users who have them, and on to these users' items.
type weighted struct {
	history      *dataset.Matrix // U×I: the likes that are scored by
	train, users *dataset.Matrix // U×I and its transpose
	userWeight   []float64       // U: |S_u|^−User
	source       []float64       // I: d_i^−Source
	target       []float32       // I: d_i^−Target
	self         []float32       // I: the weight of an item to itself, before target is applied
	scratch      *sync.Pool      // *walk
}

// walk is the scratch memory of one score.
type walk struct {
	reached []float64 // U: zero between scores
	touched []int32
}

// Weighted scores an item by its similarity to all of the user's items:
//
//	score(u,i) = Σ_{j ∈ S_u, j ≠ i} w(j→i)
//
// It equals WeightedItemKNN with unlimited neighbours, without storing them: a low-pass filter on the graph of users
// and items. w must have no Shrink. Source: see WeightedItemKNN.
//
// O(nnz) to fit and to store; a user costs O(I + Σ_{j∈S_u} |U_j| + Σ_v |S_v|) over the users v who share an item. It
// keeps train. It panics with OptionError for a weighting out of range.
func Weighted(train *dataset.Matrix, w Weighting) eval.Scorer {
	if err := w.check(); err != nil {
		panic(err)
	}
	if w.Shrink != 0 {
		panic(OptionError{Method: "weighted", Option: "shrink", Value: w.Shrink, Rule: "0"})
	}
	s := &weighted{
		history: train, train: train, users: train.Transpose(), userWeight: userWeights(train, w),
		source: make([]float64, train.Cols), target: make([]float32, train.Cols), self: make([]float32, train.Cols),
	}
	for i := range train.Cols {
		degree := 0.0
		for _, u := range s.users.Row(i) {
			degree += s.userWeight[u]
		}
		if degree > 0 {
			s.source[i] = math.Pow(degree, -w.Source)
			s.target[i] = float32(math.Pow(degree, -w.Target))
			s.self[i] = float32(degree * s.source[i])
		}
	}
	s.scratch = &sync.Pool{New: func() any { return &walk{reached: make([]float64, train.Rows())} }}
	return s
}

// userWeights returns |S_u|^−User of every user, 0 if S_u is empty.
func userWeights(train *dataset.Matrix, w Weighting) []float64 {
	userWeight := make([]float64, train.Rows())
	for u := range userWeight {
		if n := len(train.Row(u)); n > 0 {
			userWeight[u] = math.Pow(float64(n), -w.User)
		}
	}
	return userWeight
}

func (s *weighted) NumItems() int { return s.train.Cols }

func (s *weighted) Score(user int, dst []float32) {
	w := s.scratch.Get().(*walk)
	defer s.scratch.Put(w)
	history := s.history.Row(user)
	w.touched = w.touched[:0]
	for _, j := range history {
		for _, v := range s.users.Row(int(j)) {
			if w.reached[v] == 0 {
				w.touched = append(w.touched, v)
			}
			w.reached[v] += s.source[j]
		}
	}
	dst = dst[:s.train.Cols]
	clear(dst)
	for _, v := range w.touched {
		x := float32(w.reached[v] * s.userWeight[v])
		w.reached[v] = 0
		for _, i := range s.train.Row(int(v)) {
			dst[i] += x
		}
	}
	for _, i := range history {
		dst[i] -= s.self[i]
	}
	for i, t := range s.target {
		dst[i] *= t
	}
}

// weightings are the candidates of ChooseWeighting, all with Source ½.
var weightings = []Weighting{
	{Target: 0.2, User: 0.5}, {Target: 0.3, User: 0.5}, {Target: 0.4, User: 0.5}, {Target: 0.5, User: 0.5},
	{Target: 0.2, User: 1}, {Target: 0.3, User: 1}, {Target: 0.4, User: 1}, {Target: 0.5, User: 1},
}

// ChooseWeighting tries eight weightings with Target from .2 to .5, User ½ or 1, and Source ½. It returns the one with
// the highest NDCG@10 of Weighted on a held-out fifth of the training part, the first in a tie. It costs eight
// evaluations.
func ChooseWeighting(ctx context.Context, train *dataset.Matrix, workers int) (Weighting, error) {
	inner := dataset.HoldOut(train, 0.2, 1)
	best, most := Weighting{}, math.Inf(-1)
	for _, w := range weightings {
		w.Source = 0.5
		r, err := eval.Evaluate(ctx, Weighted(inner.Train, w), inner.Train, inner.Test,
			eval.Options{Ks: []int{10}, Workers: workers})
		if err != nil {
			return Weighting{}, fmt.Errorf("choosing the weighting of items: %w", err)
		}
		if r.NDCG[0] > most {
			best, most = w, r.NDCG[0]
		}
	}
	return best, nil
}
