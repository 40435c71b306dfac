package baseline

import (
	"context"
	"fmt"
	"math"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// RP3Beta scores an item by random walks user → item → user → item, divided by a power of the item's popularity:
//
//	score(u,i) = Σ_{j∈S_u} w(j→i),   w(j→i) = Σ_{v ∈ U_j ∩ U_i} (1/|U_j|)^α · (1/|S_v|)^α / |U_i|^β
//
// The probability of the first step is the same for all of a user's items and does not affect the order. Of each
// history item j the k targets of the highest weight are kept, without j itself; ties go to the lower index. Source:
// Paudel, Christoffel, Newell, Bernstein, "Updatable, Accurate, Diverse, and Scalable Recommendations for Interactive
// Applications", TiiS 2017, in the form of Ferrari Dacrema, Cremonesi, Jannach, RecSys 2019, who cut the lists.
//
// O(Σ_u |S_u|²) time to fit, on all CPUs; 8·k·I bytes. A user costs O(I + k·|S_u|). It keeps train. It panics with
// OptionError for settings that the registry refuses.
func RP3Beta(train *dataset.Matrix, k int, alpha, beta float64) eval.Scorer {
	s, err := fitRP3Beta(context.Background(), train, k, alpha, beta, 0)
	if err != nil {
		panic(err) // otherwise only a canceled context fails, and this one never ends
	}
	return s
}

func fitRP3Beta(ctx context.Context, train *dataset.Matrix, k int, alpha, beta float64, workers int) (*itemKNN, error) {
	switch {
	case k < 1:
		return nil, OptionError{Method: "rp3beta", Option: "neighbours", Value: float64(k), Rule: "at least 1"}
	case !(alpha >= 0 && alpha <= 2):
		return nil, OptionError{Method: "rp3beta", Option: "alpha", Value: alpha, Rule: "from 0 to 2"}
	case !(beta >= 0 && beta <= 2):
		return nil, OptionError{Method: "rp3beta", Option: "beta", Value: beta, Rule: "from 0 to 2"}
	}
	users := train.Transpose()
	userWeight := userWeights(train, Weighting{User: alpha})
	held := make([]float64, train.Cols) // |U_i|^β
	for i := range held {
		held[i] = math.Pow(float64(len(users.Row(i))), beta)
	}
	kept := make([][]eval.Scored, train.Cols)
	err := each(ctx, train.Cols, workers, func() func(int) {
		r := newReach(train, users, userWeight)
		heap := eval.NewHeap(min(k, train.Cols))
		return func(j int) {
			start := math.Pow(float64(max(1, len(users.Row(j)))), -alpha)
			heap.Reset()
			r.from(j, func(i int32, reached float64) {
				if int(i) != j {
					heap.Offer(i, float32(start*reached/held[i]))
				}
			})
			kept[j] = append([]eval.Scored(nil), heap.Sorted()...)
		}
	})
	if err != nil {
		return nil, fmt.Errorf("RP3beta: %w", err)
	}
	s := &itemKNN{history: train, offsets: make([]int, train.Cols+1)}
	for j, list := range kept {
		s.offsets[j+1] = s.offsets[j] + len(list)
		for _, n := range list {
			s.targets, s.weights = append(s.targets, n.Item), append(s.weights, n.Score)
		}
	}
	return s, nil
}
