package itemlinks

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/model"
)

// Gammas returns the values of γ that Choose tries: from 1/16 to 64 in steps of √2. One unit is one of W2², which lies
// between 0 and 4 for means in the unit ball; a sum of cosines is about 1, one of regression weights less than a half.
func Gammas() []float32 {
	var g []float32
	for k := -8; k <= 12; k++ {
		g = append(g, float32(math.Exp2(float64(k)/2)))
	}
	return g
}

// maxUsers bounds the users that Choose evaluates, evenly spread over all. They are enough to tell differences above
// the noise, and keep large catalogues, where each costs a scan, to seconds.
const maxUsers = 6000

// validationK is K of the NDCG@K that Choose maximises, the same that training chooses its epoch by.
const validationK = 10

// Trial is one part that was tried, with the best of its γ.
type Trial struct {
	Recipe
	Gamma float32 `json:"gamma"`
	NDCG  float64 `json:"ndcg"` // NDCG@10 on the validation part
}

// Choice is what Choose found.
type Choice struct {
	Base   float64 `json:"base"`   // NDCG@10 without a part
	Best   Trial   `json:"best"`   // γ = 0 where no part is better than none
	Trials []Trial `json:"trials"` // one a recipe, in the order given
}

// Choose finds, among recipes and Gammas, the links that, added to base, give the highest mean NDCG@10 on the
// validation part held, over the users with held items (6,000 of them where there are more). train is what base was
// trained on; the links are found in it. Of equal ones the earlier recipe and the smaller γ are taken. workers (0: as
// many as there are processors) do not change the result.
//
// base scores each user once. As weights are positive, an item without a link from the history can only be among the
// best K where it is among base's best K; so a γ costs the linked items of each user alone.
//
// It returns an error where there is nothing to choose by or among, where base scores NaN, for a recipe that
// Recipe.Build refuses, and the context's.
func Choose(ctx context.Context, base eval.Scorer, train, held *dataset.Matrix, recipes []Recipe, workers int) (*Choice,
	error) {
	if len(recipes) == 0 {
		return nil, errors.New("there is no recipe for an item-item part to choose from")
	}
	n := base.NumItems()
	if train.Cols != n || held.Cols != n || train.Rows() != held.Rows() {
		return nil, fmt.Errorf("cannot choose an item-item part: the scorer knows %d items, the training part is "+
			"%d×%d and the validation part %d×%d",
			n, train.Rows(), train.Cols, held.Rows(), held.Cols)
	}
	s := sweep{base: base, train: train, held: held, gammas: Gammas()}
	for u := range held.Rows() {
		if len(held.Row(u)) > 0 {
			s.users = append(s.users, u)
		}
	}
	if n := len(s.users); n > maxUsers {
		for k := range maxUsers {
			s.users[k] = s.users[k*n/maxUsers]
		}
		s.users = s.users[:maxUsers]
	}
	if len(s.users) == 0 {
		return nil, errors.New("cannot choose an item-item part: the validation part is empty")
	}
	parts, err := build(ctx, train, nil, recipes, workers)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		s.parts = append(s.parts, p.BySource())
	}
	means, err := s.run(ctx, workers)
	if err != nil {
		return nil, err
	}
	c := &Choice{Base: means[0]}
	c.Best.NDCG = c.Base
	for k, r := range recipes {
		t := Trial{Recipe: r, NDCG: math.Inf(-1)}
		for g, gamma := range s.gammas {
			if v := means[1+k*len(s.gammas)+g]; v > t.NDCG {
				t.Gamma, t.NDCG = gamma, v
			}
		}
		if t.NDCG > c.Best.NDCG {
			c.Best = t
		}
		c.Trials = append(c.Trials, t)
	}
	return c, nil
}

// sweep measures base alone (column 0) and with each part and γ added (column 1 + part·|γ| + γ).
type sweep struct {
	base        eval.Scorer
	train, held *dataset.Matrix
	users       []int // with held items, those that are asked
	parts       []*model.LinksBySource
	gammas      []float32
}

// run returns the mean NDCG of every column, added up in the users' order.
func (s *sweep) run(ctx context.Context, workers int) ([]float64, error) {
	columns := 1 + len(s.parts)*len(s.gammas)
	values := make([]float64, len(s.users)*columns)
	var withNaN atomic.Int64 // users with a NaN score
	if err := parallel.Each(ctx, len(s.users), workers, func() func(at int) {
		w := newUser(s)
		return func(at int) {
			if !w.measure(s.users[at], values[at*columns:(at+1)*columns]) {
				withNaN.Add(1)
			}
		}
	}); err != nil {
		return nil, fmt.Errorf("choosing the item-item part: %w", context.Cause(ctx))
	}
	if n := withNaN.Load(); n > 0 {
		return nil, fmt.Errorf("cannot choose an item-item part: the scores of %d users are not numbers; the model "+
			"is broken", n)
	}
	means := make([]float64, columns)
	for at := range s.users {
		for c, v := range values[at*columns : (at+1)*columns] {
			means[c] += v
		}
	}
	for c := range means {
		means[c] /= float64(len(s.users))
	}
	return means, nil
}

// user is the working memory for one user at a time.
type user struct {
	*sweep
	scores, bonus []float32 // I: of base; ΣB of one part, zero between parts
	linked        []int32   // items with a bonus
	known, wanted []bool    // I: of the training row, of the held row; false between users
	best          []int32   // base's best K
	heap          *eval.Heap
	gain, ideal   [validationK]float64 // 1/log₂(rank+1), and its running sum
}

func newUser(s *sweep) *user {
	n := s.base.NumItems()
	w := &user{
		sweep: s, scores: make([]float32, n), bonus: make([]float32, n),
		known: make([]bool, n), wanted: make([]bool, n), heap: eval.NewHeap(validationK),
	}
	sum := 0.0
	for r := range w.gain {
		w.gain[r] = 1 / math.Log2(float64(r+2))
		sum += w.gain[r]
		w.ideal[r] = sum
	}
	return w
}

// measure fills in the user's NDCG in every column; false where a score is NaN.
func (w *user) measure(u int, out []float64) bool {
	history, held := w.train.Row(u), w.held.Row(u)
	w.base.Score(u, w.scores)
	for _, x := range w.scores {
		if x != x {
			return false
		}
	}
	mark := func(to bool) {
		for _, i := range history {
			w.known[i] = to
		}
		for _, i := range held {
			w.wanted[i] = to
		}
	}
	mark(true)
	defer mark(false)
	w.best = eval.TopK(w.scores, history, validationK)
	out[0] = w.ndcg(w.best, len(held))
	for k, part := range w.parts {
		part.Add(w.bonus, history)
		w.linked = part.Targets(w.linked[:0], history)
		// A target of several sources stands there several times: keep those that are candidates, once.
		kept := w.linked[:0]
		for _, i := range w.linked {
			if !w.known[i] {
				w.known[i] = true
				kept = append(kept, i)
			}
		}
		w.linked = kept
		for g, gamma := range w.gammas {
			w.heap.Reset()
			for _, i := range w.best {
				if w.bonus[i] == 0 {
					w.heap.Offer(i, w.scores[i])
				}
			}
			for _, i := range w.linked {
				w.heap.Offer(i, w.scores[i]+float32(gamma*w.bonus[i]))
			}
			out[1+k*len(w.gammas)+g] = w.ndcg(w.heap.Items(), len(held))
		}
		for _, i := range w.linked {
			w.known[i], w.bonus[i] = false, 0
		}
		for _, i := range history {
			w.bonus[i] = 0
		}
	}
	return true
}

// ndcg returns the NDCG of a ranking where held items are wanted.
func (w *user) ndcg(ranking []int32, held int) (sum float64) {
	for r, i := range ranking {
		if w.wanted[i] {
			sum += w.gain[r]
		}
	}
	return sum / w.ideal[min(held, validationK)-1]
}
