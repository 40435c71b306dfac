package baseline

import (
	"context"
	"fmt"
	"math"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// itemKNN keeps, for every history item j, the targets i that have j among their neighbours, in compressed sparse rows.
type itemKNN struct {
	train   *dataset.Matrix
	offsets []int     // I+1
	targets []int32   // ascending within a row
	cosines []float32 // aligned with targets
}

// ItemKNN scores an item by its cosine to what the user has, over the item's own nearest neighbours:
//
//	cos(i,j)   = |U_i ∩ U_j| / √(|U_i|·|U_j|)
//	score(u,i) = Σ_{j ∈ N_k(i) ∩ S_u} cos(i,j)
//
// where N_k(i) are the k items j ≠ i of the highest cosine to the *target* i, ties to the lower index, never with
// cosine 0. So each item competes with the same number of neighbours; no shrinkage, no normalisation of rows. Source:
// Deshpande and Karypis, "Item-Based Top-N Recommendation Algorithms", TOIS 2004, who take the neighbours of the
// history's items instead; Sarwar et al., "Item-Based Collaborative Filtering Recommendation Algorithms", WWW 2001,
// take the target's, as here.
//
// O(Σ_u |S_u|²) time to fit, spread over all processors; at most 8·k·I bytes kept; while
// fitting twice that, and 16·I for each processor. A user costs O(I + Σ_{j∈S_u} of the targets of j). train is kept. It panics with OptionError for k < 1.
func ItemKNN(train *dataset.Matrix, k int) eval.Scorer {
	if k < 1 {
		panic(OptionError{Method: "itemknn", Option: "neighbours", Value: float64(k), Rule: "at least 1"})
	}
	s, err := fitItemKNN(context.Background(), train, k, 0)
	if err != nil {
		panic(err) // only an ended context fails, and this one does not end
	}
	return s
}

func fitItemKNN(ctx context.Context, train *dataset.Matrix, k, workers int) (*itemKNN, error) {
	near, err := neighbours(ctx, train, k, workers)
	if err != nil {
		return nil, fmt.Errorf("item-KNN: %w", err)
	}
	// Turn "target → its neighbours" round into "history item → targets it speaks for".
	s := &itemKNN{train: train, offsets: make([]int, train.Cols+1)}
	for _, list := range near {
		for _, n := range list {
			s.offsets[n.Item+1]++
		}
	}
	for j := range train.Cols {
		s.offsets[j+1] += s.offsets[j]
	}
	total := s.offsets[train.Cols]
	s.targets, s.cosines = make([]int32, total), make([]float32, total)
	next := append([]int(nil), s.offsets[:train.Cols]...)
	for i, list := range near {
		for _, n := range list {
			at := next[n.Item]
			s.targets[at], s.cosines[at] = int32(i), n.Score
			next[n.Item]++
		}
	}
	return s, nil
}

// neighbours returns for every item its k nearest items by cosine, best first. Each list is the work of one
// goroutine from begin to end, so their number changes nothing.
func neighbours(ctx context.Context, train *dataset.Matrix, k, workers int) ([][]eval.Scored, error) {
	users, degree := train.Transpose(), degrees(train)
	near := make([][]eval.Scored, train.Cols)
	err := parallel(ctx, train.Cols, workers, func() func(i int) {
		shared := make([]int32, train.Cols) // |U_i ∩ U_j|, zero between items
		var touched []int32
		heap := eval.NewHeap(min(k, train.Cols))
		return func(i int) {
			touched = touched[:0]
			for _, u := range users.Row(i) {
				for _, j := range train.Row(int(u)) {
					if shared[j] == 0 {
						touched = append(touched, j)
					}
					shared[j]++
				}
			}
			heap.Reset()
			for _, j := range touched {
				if int(j) != i {
					heap.Offer(j, cosine(int(shared[j]), degree[i], degree[j]))
				}
				shared[j] = 0
			}
			near[i] = append([]eval.Scored(nil), heap.Sorted()...)
		}
	})
	return near, err
}

// cosine of two binary columns with so many ones, and so many of them shared.
func cosine(shared, a, b int) float32 {
	return float32(float64(shared) / math.Sqrt(float64(a)*float64(b)))
}

func (s *itemKNN) NumItems() int { return s.train.Cols }

func (s *itemKNN) Score(user int, dst []float32) {
	clear(dst)
	for _, j := range s.train.Row(user) {
		from, to := s.offsets[j], s.offsets[j+1]
		for at, i := range s.targets[from:to] {
			dst[i] += s.cosines[from+at]
		}
	}
}
