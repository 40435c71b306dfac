package eval

import (
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
)

// ranker makes the lists of users. Each belongs to one worker. Whatever the kind, a list is TopK of the user's scores
// without the training row.
type ranker interface {
	// width returns how many users are best ranked at a time, 1 or more.
	width() int
	// rank writes the lists of at most width users into lists, one for each; they are the ranker's own memory until
	// the next call. A *NaNError is that of the first such user and the first such item.
	rank(users []int32, lists [][]int32) error
}

// newRankers returns the function that makes each worker's ranker: what ranks by itself is asked to, by blocks where
// the scorer is a W2, amended or not, and otherwise one user after the other.
func newRankers(s Scorer, train *dataset.Matrix, depth int) func() ranker {
	if l, ok := s.(Lister); ok {
		return func() ranker { return &listRanker{Lister: l, train: train, depth: depth} }
	}
	var amends []Amended
	for base := s; ; {
		switch b := base.(type) {
		case *W2: // the type itself: what embeds one scores in its own way
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

// listRanker leaves it to the scorer.
type listRanker struct {
	Lister
	train *dataset.Matrix
	depth int
}

// listed is the number of users that a Lister is asked for at a time: enough to keep a large device busy.
const listed = 1024

func (r *listRanker) width() int { return listed }

func (r *listRanker) rank(users []int32, lists [][]int32) error {
	return r.Lists(users, r.train, r.depth, lists)
}

// scanRanker scores the whole catalogue for one user after the other: the definition of all the others.
type scanRanker struct {
	scorer Scorer
	train  *dataset.Matrix
	scores []float32 // I
	heap   *Heap
	lists  []int32 // chunk×depth
}

// chunk is the number of users that a scanRanker takes at a time: few enough to share the work evenly, and enough
// that handing it out costs nothing.
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

// one returns the list of one user, in memory that is good until the next call of rank.
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
