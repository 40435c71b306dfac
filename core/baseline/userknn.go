package baseline

import (
	"context"
	"fmt"
	"math"
	"sync"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// userKNN scores directly from the matrix; it stores only the transpose.
type userKNN struct {
	history      *dataset.Matrix // U×I: the likes that are scored by
	train, users *dataset.Matrix // U×I and its transpose
	k            int
	shrink       float64
	scratch      *sync.Pool // *userKNNScratch
}

// userKNNScratch is the scratch memory of one score.
type userKNNScratch struct {
	shared  []int32 // U: zero between scores
	touched []int32
	heap    *eval.Heap
}

// UserKNN scores an item by its users among the k nearest to the user by the cosine of their rows:
//
//	score(u,i) = Σ_{v ∈ N_k(u), i ∈ S_v} w(u,v),   w(u,v) = |S_u ∩ S_v| / (√(|S_u|·|S_v|) + shrink)
//
// u and users of weight 0 are not neighbours; ties go to the lower index. The sums are not normalised, since only their
// order matters (Aiolli, RecSys 2013; Cremonesi et al., RecSys 2010, NNCosNgbr). Source: Resnick et al., "GroupLens: An
// Open Architecture for Collaborative Filtering of Netnews", CSCW 1994.
//
// O(nnz) to fit and to store; a user costs O(I + Σ_{j∈S_u} |U_j| + Σ_{v∈N_k} |S_v|). It keeps train. It panics with
// OptionError for k < 1 and for a shrink that is negative or infinite.
func UserKNN(train *dataset.Matrix, k int, shrink float64) eval.Scorer {
	s, err := fitUserKNN(context.Background(), train, k, shrink, 0)
	if err != nil {
		panic(err) // otherwise only a canceled context fails, and this one never ends
	}
	return s
}

func fitUserKNN(ctx context.Context, train *dataset.Matrix, k int, shrink float64, _ int) (*userKNN, error) {
	switch {
	case k < 1:
		return nil, OptionError{Method: "userknn", Option: "neighbours", Value: float64(k), Rule: "at least 1"}
	case !(shrink >= 0) || math.IsInf(shrink, 0):
		return nil, OptionError{Method: "userknn", Option: "shrink", Value: shrink, Rule: "a number of at least 0"}
	case ctx.Err() != nil:
		return nil, fmt.Errorf("user-KNN: %w", context.Cause(ctx))
	}
	s := &userKNN{history: train, train: train, users: train.Transpose(), k: k, shrink: shrink}
	s.scratch = &sync.Pool{New: func() any {
		return &userKNNScratch{shared: make([]int32, train.Rows()), heap: eval.NewHeap(min(k, train.Rows()))}
	}}
	return s, nil
}

func (s *userKNN) NumItems() int { return s.train.Cols }

func (s *userKNN) Score(user int, dst []float32) {
	c := s.scratch.Get().(*userKNNScratch)
	defer s.scratch.Put(c)
	own := s.history.Row(user)
	c.touched = c.touched[:0]
	for _, j := range own {
		for _, v := range s.users.Row(int(j)) {
			if c.shared[v] == 0 {
				c.touched = append(c.touched, v)
			}
			c.shared[v]++
		}
	}
	c.heap.Reset()
	for _, v := range c.touched {
		if int(v) != user || s.history != s.train {
			norm := math.Sqrt(float64(len(own)) * float64(len(s.train.Row(int(v)))))
			c.heap.Offer(v, float32(float64(c.shared[v])/(norm+s.shrink)))
		}
		c.shared[v] = 0
	}
	clear(dst[:s.train.Cols])
	for _, n := range c.heap.Sorted() {
		for _, i := range s.train.Row(int(n.Item)) {
			dst[i] += n.Score
		}
	}
}
