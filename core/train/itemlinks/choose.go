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
	"github.com/pmlam/pmlam/core/internal/vec"
	"github.com/pmlam/pmlam/core/model"
)

// Gammas returns the values of γ that Choose tries first: from 1/16 to 1,024 in steps of 2. They are in units of W2²,
// which is between 0 and 4 for means in the unit ball. A sum of cosines is about 1, a sum of regression weights less
// than a half, so the links decide nearly alone at the largest γ.
func Gammas() []float32 {
	var g []float32
	for k := -4; k <= 10; k++ {
		g = append(g, float32(math.Exp2(float64(k))))
	}
	return g
}

// maxUsers bounds the users that Choose evaluates, at even intervals over all. That is enough to see differences above
// the noise, and takes seconds on large catalogues, where each user costs a scan.
const maxUsers = 3000

// validationK is K of the NDCG@K that Choose maximises. Trainings choose their epoch by the same.
const validationK = 10

// Trial is one tried recipe, with its best γ.
type Trial struct {
	Recipe
	Gamma float32 `json:"gamma"`
	NDCG  float64 `json:"ndcg"` // NDCG@10 on the validation part
}

// Choice is the result of Choose.
type Choice struct {
	Base   float64 `json:"base"`   // NDCG@10 without links
	Best   Trial   `json:"best"`   // γ = 0 if no links are better than none
	Trials []Trial `json:"trials"` // one per recipe, in the given order

	Part *model.ItemLinks `json:"-"` // of Best, with γ = 1; nil if no links are better than none
}

// Choose finds the recipe and γ whose links, added to base, give the highest mean NDCG@10 on the validation part held,
// over the users with held items (3,000 of them if there are more). train is the training part of base, and the links
// are built from it. told has the users' histories, usually train itself. Ties go to the earlier recipe and the smaller
// γ. A recipe with more sources per target than the best of those before must be better by more than the standard error
// of the users' differences, because it makes the model larger. The best recipe's γ is then refined by a factor of √2.
// workers is the number of goroutines, 0 for one per CPU; it does not change the result.
//
// base ranks for each user once. Since weights are positive, an item without a link from the history can only be among
// the best K if it is among base's best K. So a γ only costs the linked items of each user, and an eval.Pointwise base
// scores no others.
//
// Choose fails without recipes or validation data, if base scores NaN, if Recipe.Build refuses a recipe, or if ctx
// ends.
func Choose(ctx context.Context, base eval.Scorer, train, told, held *dataset.Matrix, recipes []Recipe, workers int) (
	*Choice, error) {
	if len(recipes) == 0 {
		return nil, errors.New("cannot choose item links: no recipes given")
	}
	n := base.NumItems()
	if train.Cols != n || told.Cols != n || held.Cols != n || told.Rows() != held.Rows() {
		return nil, fmt.Errorf("cannot choose item links: the scorer has %d items, but the training part is %d×%d and "+
			"the validation part %d×%d and %d×%d",
			n, train.Rows(), train.Cols, told.Rows(), told.Cols, held.Rows(), held.Cols)
	}
	s := newSweep(base, told, held, Gammas())
	if n := len(s.users); n > maxUsers {
		for k := range maxUsers {
			s.users[k] = s.users[k*n/maxUsers]
		}
		s.users = s.users[:maxUsers]
	}
	if len(s.users) == 0 {
		return nil, errors.New("cannot choose item links: the validation part is empty")
	}
	parts, err := build(ctx, train, nil, recipes, workers)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		s.parts = append(s.parts, p.BySource())
	}
	values, err := s.run(ctx, workers)
	if err != nil {
		return nil, err
	}
	c := &Choice{Base: Mean(values[0])}
	c.Best.NDCG = c.Base
	best, at := values[0], 0
	for k, r := range recipes {
		t, users := s.best(r, values[1+k*len(s.gammas):])
		if gain, stderr := Paired(users, best); gain > 0 && (c.Part == nil || r.Top <= c.Best.Top || gain > stderr) {
			c.Best, c.Part, best, at = t, parts[k], users, k
		}
		c.Trials = append(c.Trials, t)
	}
	if c.Part == nil {
		return c, nil
	}
	s.parts = s.parts[at : at+1]
	s.gammas = []float32{c.Best.Gamma / math.Sqrt2, c.Best.Gamma * math.Sqrt2}
	if values, err = s.run(ctx, workers); err != nil {
		return nil, err
	}
	if t, _ := s.best(c.Best.Recipe, values[1:]); t.NDCG > c.Best.NDCG {
		c.Best, c.Trials[at] = t, t
	}
	return c, nil
}

// Shares returns the NDCG@10 of base with links for each user with held items: in column c, a history of n items has
// the share share(c, n) of γ. See Choose for the other parameters and the errors.
func Shares(ctx context.Context, base eval.Scorer, links *model.ItemLinks, told, held *dataset.Matrix, columns int,
	share func(column, n int) float32, workers int) ([][]float32, error) {
	plain := *links
	plain.Gamma = 1
	s := newSweep(base, told, held, slices.Repeat([]float32{links.Gamma}, columns))
	s.parts, s.share = []*model.LinksBySource{plain.BySource()}, share
	values, err := s.run(ctx, workers)
	if err != nil {
		return nil, err
	}
	return values[1:], nil
}

// best returns the best of the γ of a recipe, and the users' NDCG with it.
func (s *sweep) best(r Recipe, values [][]float32) (Trial, []float32) {
	t, users := Trial{Recipe: r, NDCG: math.Inf(-1)}, []float32(nil)
	for g, gamma := range s.gammas {
		if v := Mean(values[g]); v > t.NDCG {
			t.Gamma, t.NDCG, users = gamma, v, values[g]
		}
	}
	return t, users
}

// Mean returns the mean of x.
func Mean(x []float32) (sum float64) {
	for _, v := range x {
		sum += float64(v)
	}
	return sum / float64(len(x))
}

// Paired returns the mean of x−y and its standard error; both are 0 for fewer than two pairs.
func Paired(x, y []float32) (gain, stderr float64) {
	n := float64(len(x))
	if n < 2 {
		return 0, 0
	}
	for i := range x {
		gain += float64(x[i]-y[i]) / n
	}
	for i := range x {
		d := float64(x[i]-y[i]) - gain
		stderr += d * d
	}
	return gain, math.Sqrt(stderr / (n - 1) / n)
}

// sweep measures base alone (column 0) and with each set of links and γ added (column 1 + part·|γ| + γ).
type sweep struct {
	base       eval.Scorer
	told, held *dataset.Matrix
	users      []int32 // those with held items, or a sample of them
	parts      []*model.LinksBySource
	gammas     []float32
	share      func(g, n int) float32 // of gammas[g] for a history of n items; nil: 1
}

// newSweep returns a sweep of all users with held items, without links.
func newSweep(base eval.Scorer, told, held *dataset.Matrix, gammas []float32) sweep {
	s := sweep{base: base, told: told, held: held, gammas: gammas}
	for u := range held.Rows() {
		if len(held.Row(u)) > 0 {
			s.users = append(s.users, int32(u))
		}
	}
	return s
}

// run returns the NDCG of every column for each of the users.
func (s *sweep) run(ctx context.Context, workers int) ([][]float32, error) {
	values := make([][]float32, 1+len(s.parts)*len(s.gammas))
	for c := range values {
		values[c] = make([]float32, len(s.users))
	}
	best, err := eval.ListsFor(ctx, s.base, s.told, s.users, validationK, workers)
	if err == nil && parallel.Each(ctx, len(s.users), workers, func() func(at int) {
		w := newUser(s)
		return func(at int) {
			w.measure(int(s.users[at]), best[at], func(c int, ndcg float64) { values[c][at] = float32(ndcg) })
		}
	}) != nil {
		err = context.Cause(ctx)
	}
	if err != nil {
		return nil, fmt.Errorf("choosing item links: %w", err)
	}
	return values, nil
}

// user is the scratch memory for one user at a time.
type user struct {
	*sweep
	some          eval.Pointwise // base, if it is one
	scores        []float32      // I: of base, −∞ for known items; undefined unless scored
	scored        bool
	sums          []float32 // I: scores with links
	bonus         []float32 // I: ΣB of one set of links, zero between sets
	linked        []int32   // items with a bonus
	known, wanted []bool    // I: of the training row, of the held row; false between users
	near          []float32 // scores of base's best K
	own           []float32 // of the linked
	heap          *eval.Heap
	gain, ideal   [validationK]float64 // 1/log₂(rank+1), and its cumulative sum
}

func newUser(s *sweep) *user {
	n := s.base.NumItems()
	w := &user{
		sweep: s, scores: make([]float32, n), sums: make([]float32, n), bonus: make([]float32, n),
		known: make([]bool, n), wanted: make([]bool, n), heap: eval.NewHeap(validationK),
	}
	w.some, _ = s.base.(eval.Pointwise)
	sum := 0.0
	for r := range w.gain {
		w.gain[r] = 1 / math.Log2(float64(r+2))
		sum += w.gain[r]
		w.ideal[r] = sum
	}
	return w
}

// of returns base's scores of some items for user u, in dst if it is large enough.
func (w *user) of(u int, items []int32, dst []float32) []float32 {
	dst = slices.Grow(dst[:0], len(items))[:len(items)]
	if !w.scored {
		w.some.ScoreSome(u, items, dst)
		return dst
	}
	for k, i := range items {
		dst[k] = w.scores[i]
	}
	return dst
}

// scoreAll fills scores.
func (w *user) scoreAll(u int, history []int32) {
	w.base.Score(u, w.scores)
	for _, i := range history {
		w.scores[i] = float32(math.Inf(-1))
	}
	w.scored = true
}

// measure fills in the NDCG of a user in every column, given base's best K.
func (w *user) measure(u int, best []int32, out func(column int, ndcg float64)) {
	history, held := w.told.Row(u), w.held.Row(u)
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
	if w.scored = w.some == nil; w.scored {
		w.scoreAll(u, history)
	}
	out(0, w.ndcg(best, len(held)))
	w.near = w.of(u, best, w.near)
	for k, part := range w.parts {
		part.Add(w.bonus, history)
		if n := len(w.bonus); part.Links(history) > n { // so many links that passes over all items cost less
			if !w.scored {
				w.scoreAll(u, history)
			}
			for g, gamma := range w.gammas {
				vec.AxpyInto(w.sums, gamma, w.bonus, w.scores)
				w.heap.Reset()
				w.heap.OfferRange(w.sums, 0, n)
				out(1+k*len(w.gammas)+g, w.ndcg(w.heap.Items(), len(held)))
			}
			clear(w.bonus)
			continue
		}
		w.linked = part.Targets(w.linked[:0], history)
		// Targets of several sources are listed several times: keep candidates, once each.
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
			if w.share != nil {
				gamma *= w.share(g, len(history))
			}
			w.heap.Reset()
			for at, i := range best {
				if w.bonus[i] == 0 {
					w.heap.Offer(i, w.near[at])
				}
			}
			worst, full := w.heap.Worst()
			for at, i := range w.linked {
				// Nearly all are below the worst of the best so far.
				if score := w.own[at] + float32(gamma*w.bonus[i]); !full || score >= worst {
					w.heap.Offer(i, score)
					worst, full = w.heap.Worst()
				}
			}
			out(1+k*len(w.gammas)+g, w.ndcg(w.heap.Items(), len(held)))
		}
		for _, i := range w.linked {
			w.known[i], w.bonus[i] = false, 0
		}
		for _, i := range history {
			w.bonus[i] = 0
		}
	}
}

// ndcg returns the NDCG of a ranking whose relevant items are wanted, held in number.
func (w *user) ndcg(ranking []int32, held int) (sum float64) {
	for r, i := range ranking {
		if w.wanted[i] {
			sum += w.gain[r]
		}
	}
	return sum / w.ideal[min(held, validationK)-1]
}
