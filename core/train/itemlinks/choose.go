package itemlinks

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

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

	Part *model.ItemLinks `json:"-"` // of Best, with γ = 1; nil where no part is better than none
}

// Choose finds, among recipes and Gammas, the links that, added to base, give the highest mean NDCG@10 on the
// validation part held, over the users with held items (6,000 of them where there are more). train is what base was
// trained on; the links are found in it. Of equal ones the earlier recipe and the smaller γ are taken. workers (0: as
// many as there are processors) do not change the result.
//
// base ranks for each user once. As weights are positive, an item without a link from the history can only be among the
// best K where it is among base's best K; so a γ costs the linked items of each user alone, and where base is an
// eval.Pointwise it scores no others.
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
			s.users = append(s.users, int32(u))
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
			c.Best, c.Part = t, parts[k]
		}
		c.Trials = append(c.Trials, t)
	}
	return c, nil
}

// sweep measures base alone (column 0) and with each part and γ added (column 1 + part·|γ| + γ).
type sweep struct {
	base        eval.Scorer
	train, held *dataset.Matrix
	users       []int32 // with held items, those that are asked
	parts       []*model.LinksBySource
	gammas      []float32
}

// run returns the mean NDCG of every column, added up in the users' order.
func (s *sweep) run(ctx context.Context, workers int) ([]float64, error) {
	columns := 1 + len(s.parts)*len(s.gammas)
	values := make([]float64, len(s.users)*columns)
	best, err := eval.ListsFor(ctx, s.base, s.train, s.users, validationK, workers)
	if err == nil && parallel.Each(ctx, len(s.users), workers, func() func(at int) {
		w := newUser(s)
		return func(at int) { w.measure(int(s.users[at]), best[at], values[at*columns:(at+1)*columns]) }
	}) != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("choosing the item-item part: %w", err)
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
	some          eval.Pointwise // base, where it is one
	scores        []float32      // I: of base; nil where it is an eval.Pointwise
	bonus         []float32      // I: ΣB of one part, zero between parts
	linked        []int32        // items with a bonus
	known, wanted []bool         // I: of the training row, of the held row; false between users
	near          []float32      // scores of base's best K
	own           []float32      // of the linked
	heap          *eval.Heap
	gain, ideal   [validationK]float64 // 1/log₂(rank+1), and its running sum
}

func newUser(s *sweep) *user {
	n := s.base.NumItems()
	w := &user{
		sweep: s, bonus: make([]float32, n), known: make([]bool, n), wanted: make([]bool, n),
		heap: eval.NewHeap(validationK),
	}
	var is bool
	if w.some, is = s.base.(eval.Pointwise); !is {
		w.scores = make([]float32, n)
	}
	sum := 0.0
	for r := range w.gain {
		w.gain[r] = 1 / math.Log2(float64(r+2))
		sum += w.gain[r]
		w.ideal[r] = sum
	}
	return w
}

// of returns base's scores of some items for user u, in dst where it has the room.
func (w *user) of(u int, items []int32, dst []float32) []float32 {
	dst = slices.Grow(dst[:0], len(items))[:len(items)]
	if w.some != nil {
		w.some.ScoreSome(u, items, dst)
		return dst
	}
	for k, i := range items {
		dst[k] = w.scores[i]
	}
	return dst
}

// measure fills in the NDCG in every column of a user with base's best K.
func (w *user) measure(u int, best []int32, out []float64) {
	history, held := w.train.Row(u), w.held.Row(u)
	if w.some == nil {
		w.base.Score(u, w.scores)
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
	out[0] = w.ndcg(best, len(held))
	w.near = w.of(u, best, w.near)
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
		w.own = w.of(u, w.linked, w.own)
		for g, gamma := range w.gammas {
			w.heap.Reset()
			for at, i := range best {
				if w.bonus[i] == 0 {
					w.heap.Offer(i, w.near[at])
				}
			}
			for at, i := range w.linked {
				w.heap.Offer(i, w.own[at]+float32(gamma*w.bonus[i]))
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
