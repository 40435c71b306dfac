package eval

import (
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
)

// ranker makes the lists of users. Each ranker belongs to one worker. All kinds give TopK of the user's scores without
// the training row.
type ranker interface {
	// width returns the best number of users to rank at once, 1 or more.
	width() int
	// rank writes the lists of at most width users to lists, one for each. They are the ranker's own memory and valid
	// until the next call. A *NaNError names the first such user and the first such item.
	rank(users []int32, lists [][]int32) error
}

// newRankers returns the function that makes each worker's ranker. A Lister ranks by itself, a W2, amended or not, is
// ranked by blocks, and all others user by user.
func newRankers(s Scorer, train *dataset.Matrix, depth int) func() ranker {
	if l, ok := s.(Lister); ok {
		return func() ranker { return &listRanker{Lister: l, train: train, depth: depth} }
	}
	var amends []Amended
	for base := s; ; {
		switch b := base.(type) {
		case *W2: // exactly this type: types that embed one score differently
			if f := newFilter(b, depth); f != nil {
				slices.Reverse(amends)
				return func() ranker { return newBlockRanker(f, amends, newScanRanker(s, train, depth)) }
			}
		case Amended:
			amends, base = append(amends, b), b.Base()
			continue
		}
		return func() ranker { return newScanRanker(s, train, depth) }
	}
}

// listRanker delegates to the scorer.
type listRanker struct {
	Lister
	train *dataset.Matrix
	depth int
}

// listed is the number of users passed to a Lister at once: enough to keep a large device busy.
const listed = 1024

func (r *listRanker) width() int { return listed }

func (r *listRanker) rank(users []int32, lists [][]int32) error {
	return r.Lists(users, r.train, r.depth, lists)
}

// scanRanker scores the whole catalogue for one user after the other, which defines the results of all rankers.
type scanRanker struct {
	scorer Scorer
	train  *dataset.Matrix
	scores []float32 // I
	heap   *Heap
	lists  []int32 // chunk×depth
}

// chunk is the number of users that a scanRanker takes at once: few enough to balance the load, and enough to make the
// overhead negligible.
const chunk = 32

func newScanRanker(s Scorer, train *dataset.Matrix, depth int) *scanRanker {
	return &scanRanker{scorer: s, train: train, scores: make([]float32, train.Cols), heap: NewHeap(depth)}
}

func (r *scanRanker) width() int { return chunk }

func (r *scanRanker) rank(users []int32, lists [][]int32) error {
	r.lists = r.lists[:0]
	for at, u := range users {
		var err error
		if lists[at], err = r.one(int(u)); err != nil {
			return err
		}
	}
	return nil
}

// one returns the list of one user, in memory that is valid until the next call of rank.
func (r *scanRanker) one(user int) ([]int32, error) {
	r.scorer.Score(user, r.scores)
	if i := firstNaN(r.scores); i >= 0 {
		return nil, &NaNError{User: user, Item: i}
	}
	r.heap.Reset()
	scan(r.heap, r.scores, r.train.Row(user))
	r.lists = r.heap.AppendItems(r.lists)
	n := r.heap.Len()
	return r.lists[len(r.lists)-n:], nil
}
