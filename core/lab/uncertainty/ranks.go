package uncertainty

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/parallel"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

// listLength is the length of a list; maxRanked is the largest number of users ranked.
const (
	listLength = 10
	maxRanked  = 4000
)

// heldOutRanks has a training's ranks of held-out items.
type heldOutRanks struct {
	users    []int32             // users with held-out items
	ndcg     map[int32]float64   // by user
	recall   map[int32]float64   //
	lists    [][]int32           // the first ten of each of users
	logRanks []map[int32]float64 // ln of the rank of each held-out item, for each of users
	items    int
	total    int // U
}

// sampled returns m with the rows of at most maxRanked nonempty users, evenly chosen.
func sampled(m *dataset.Matrix) *dataset.Matrix {
	var rows []int
	for u := range m.Rows() {
		if len(m.Row(u)) > 0 {
			rows = append(rows, u)
		}
	}
	step := max(1, (len(rows)+maxRanked-1)/maxRanked)
	var pairs []dataset.Pair
	for k := 0; k < len(rows); k += step {
		for _, i := range m.Row(rows[k]) {
			pairs = append(pairs, dataset.Pair{Row: int32(rows[k]), Col: i})
		}
	}
	return dataset.NewMatrix(m.Rows(), m.Cols, pairs)
}

// rankHeldOut ranks all items outside the training row for the users of the test part.
func rankHeldOut(ctx context.Context, m Trained, split dataset.Split, workers int) (*heldOutRanks, error) {
	var scorer eval.Scorer = eval.NewW2(m.Users, m.Items)
	if m.Part != nil {
		scorer = itemlinks.NewScorer(scorer, m.Part, split.Train)
	}
	report, err := eval.Evaluate(ctx, scorer, split.Train, split.Test, eval.Options{Ks: []int{listLength},
		Workers: workers})
	if err != nil {
		return nil, fmt.Errorf("ranking held-out items: %w", err)
	}
	r := &heldOutRanks{
		users: report.PerUser.Users, ndcg: map[int32]float64{}, recall: map[int32]float64{},
		items: split.Train.Cols, total: split.Train.Rows(),
	}
	ndcg, _ := report.PerUser.Values(eval.NDCG, listLength)
	recall, _ := report.PerUser.Values(eval.Recall, listLength)
	for k, u := range r.users {
		r.ndcg[u], r.recall[u] = float64(ndcg[k]), float64(recall[k])
	}
	r.lists, r.logRanks = make([][]int32, len(r.users)), make([]map[int32]float64, len(r.users))
	err = parallel.Each(ctx, len(r.users), workers, func() func(k int) {
		scores := make([]float32, r.items)
		return func(k int) {
			u := int(r.users[k])
			scorer.Score(u, scores)
			r.lists[k] = eval.TopK(scores, split.Train.Row(u), listLength)
			for _, i := range split.Train.Row(u) {
				scores[i] = float32(math.Inf(-1))
			}
			r.logRanks[k] = map[int32]float64{}
			for _, i := range split.Test.Row(u) {
				before := 1
				for _, s := range scores {
					if s > scores[i] {
						before++
					}
				}
				r.logRanks[k][i] = math.Log(float64(before))
			}
		}
	})
	return r, err
}

// userErrors returns 1 − NDCG and 1 − recall by user, NaN for users without held-out items.
func (r *heldOutRanks) userErrors() (failed, missed []float64) {
	failed, missed = nans(r.total), nans(r.total)
	for _, u := range r.users {
		failed[u], missed[u] = 1-r.ndcg[u], 1-r.recall[u]
	}
	return failed, missed
}

// itemErrors returns two values for every item, over the users it was held out from: the mean of ln rank, and the share
// of lists without it; NaN without such users.
func (r *heldOutRanks) itemErrors() (failed, missed []float64) {
	failed, missed = nans(r.items), nans(r.items)
	sums, misses, counts := make([]float64, r.items), make([]float64, r.items), make([]float64, r.items)
	for _, of := range r.logRanks {
		for i, place := range of { // each item has its own sum, so the map's order does not matter
			sums[i] += place
			counts[i]++
			if place > math.Log(listLength)+1e-9 {
				misses[i]++
			}
		}
	}
	for i, n := range counts {
		if n > 0 {
			failed[i], missed[i] = sums[i]/n, misses[i]/n
		}
	}
	return failed, missed
}

// listDisagreement returns for every user the share of the first ten that two trainings do not share, as a mean over
// all pairs of trainings; NaN for users without held-out items.
func listDisagreement(members []*heldOutRanks) []float64 {
	out := nans(members[0].total)
	for k, u := range members[0].users {
		sum, pairs := 0.0, 0.0
		for a := range members {
			in := map[int32]bool{}
			for _, i := range members[a].lists[k] {
				in[i] = true
			}
			for b := range a {
				common := 0.0
				for _, i := range members[b].lists[k] {
					if in[i] {
						common++
					}
				}
				sum += 1 - common/float64(max(len(in), 1))
				pairs++
			}
		}
		out[u] = sum / pairs
	}
	return out
}

// nans returns n NaNs.
func nans(n int) []float64 {
	x := make([]float64, n)
	for i := range x {
		x[i] = math.NaN()
	}
	return x
}

// progressCounter returns a function that counts a finished step, from any goroutine; progress may be nil.
func progressCounter(progress func(done, total int), total int) func() {
	var mu sync.Mutex
	done := 0
	return func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		if progress != nil {
			progress(done, total)
		}
	}
}

// contains reports whether x, ascending, holds v.
func contains(x []int, v int) bool {
	_, ok := slices.BinarySearch(x, v)
	return ok
}
