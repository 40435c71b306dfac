package eval

import (
	"math"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/vec"
)

const (
	blockUsers = 96  // columns of the product; a multiple of its kernels' width
	blockItems = 256 // rows of the product; its operands and the result then fit a second-level cache
)

// blockRanker ranks a block of users by products with one block of items after another. The products only rule out
// items that cannot enter a user's list any more (see filter). The others, some hundreds of a catalogue, are scored by
// the Scorer and ranked by that score, so a list does not depend on how it was found.
type blockRanker struct {
	*filter
	train  *dataset.Matrix
	amends []Amended   // innermost first, starting with the W2's own
	alone  *scanRanker // for users that the filter does not support
	across []float32   // 2h×blockUsers: the users' rows as columns
	block  []float32   // blockItems×blockUsers: products
	seats  []seat
	// smaller products cannot enter; +Inf for seats that are empty or whose user is ranked alone
	bounds [blockUsers]float32
	scores []float32 // I: scratch for amended scores; nil if none are amended
	lists  []int32
}

// seat is a user of the block.
type seat struct {
	row   []float32 // θ_u
	base  float64   // filter.base
	skip  []int32   // ascending: items of the training row, and amended items still to come
	own   []int32   // memory for skip
	heap  *Heap
	alone bool // the filter does not support this user
}

func newBlockRanker(f *filter, amends []Amended, alone *scanRanker) *blockRanker {
	r := &blockRanker{
		filter: f, train: alone.train, amends: amends, alone: alone,
		across: make([]float32, 2*f.items.Dim()*blockUsers),
		block:  make([]float32, blockItems*blockUsers),
		seats:  make([]seat, blockUsers),
	}
	for j := range r.seats {
		r.seats[j].heap = NewHeap(alone.heap.K())
	}
	if len(amends) > 0 {
		r.scores = alone.scores // never used at the same time
	}
	return r
}

func (r *blockRanker) width() int { return blockUsers }

// rank implements ranker. O(len(users)·I·h), mostly in the product.
func (r *blockRanker) rank(users []int32, lists [][]int32) error {
	for j := range r.bounds {
		r.bounds[j] = float32(math.Inf(1))
	}
	for j, u := range users {
		r.sit(j, int(u))
	}
	r.scan(len(users))
	r.lists, r.alone.lists = r.lists[:0], r.alone.lists[:0]
	for j, u := range users {
		if r.seats[j].alone {
			var err error
			if lists[j], err = r.alone.one(int(u)); err != nil {
				return err
			}
			continue
		}
		r.lists = r.seats[j].heap.AppendItems(r.lists)
		lists[j] = r.lists[len(r.lists)-r.seats[j].heap.Len():]
	}
	return nil
}

// sit assigns seat j to a user, and ranks the amended items.
func (r *blockRanker) sit(j, user int) {
	s := &r.seats[j]
	s.row, s.skip = r.users.Row(user), r.train.Row(user)
	s.heap.Reset()
	norm := squaredNorm(s.row)
	s.alone = !(norm <= largestNorm) || !r.amended(s, user)
	for p, v := range s.row {
		if s.alone {
			v = 0 // neutralises the column: 0 − ½‖i‖² stays below the bound
		}
		r.across[p*blockUsers+j] = v
	}
	if !s.alone {
		s.base = r.base(norm)
		r.bounds[j] = float32(math.Inf(-1))
		r.raise(j)
	}
}

// amended offers the amended items to the user's list; it returns false if a score is NaN.
func (r *blockRanker) amended(s *seat, user int) bool {
	if len(r.amends) == 0 {
		return true
	}
	s.own = s.own[:0]
	for _, a := range r.amends {
		s.own = a.Touched(user, s.own)
	}
	slices.Sort(s.own)
	s.own = slices.Compact(s.own)
	for _, i := range s.own {
		r.scores[i] = -vec.SquaredDistance(s.row, r.items.Row(int(i)))
	}
	for _, a := range r.amends {
		a.Amend(user, r.scores)
	}
	seen := s.skip
	for _, i := range s.own {
		score := r.scores[i]
		if score != score {
			return false
		}
		for len(seen) > 0 && seen[0] < i {
			seen = seen[1:]
		}
		if len(seen) == 0 || seen[0] != i {
			s.heap.Offer(i, score)
		}
	}
	s.own = append(s.own, s.skip...)
	slices.Sort(s.own)
	s.skip = s.own
	return true
}

// scan passes over the catalogue for the first n seats.
func (r *blockRanker) scan(n int) {
	width, items := 2*r.items.Dim(), r.items.Len()
	for from := 0; from < items; from += blockItems {
		rows := min(blockItems, items-from)
		clear(r.block)
		vec.Gemm(r.block, blockUsers, r.items.Data()[from*width:], width, 1, r.across, blockUsers, rows, n, width)
		for i, start := range r.start[from : from+rows] {
			products := (*[blockUsers]float32)(r.block[i*blockUsers:])
			for j, product := range products {
				if start+product >= r.bounds[j] {
					r.consider(j, int32(from+i))
				}
			}
		}
	}
}

// consider scores an item for the user on seat j.
func (r *blockRanker) consider(j int, item int32) {
	s := &r.seats[j]
	for len(s.skip) > 0 && s.skip[0] < item {
		s.skip = s.skip[1:]
	}
	if len(s.skip) > 0 && s.skip[0] == item {
		return
	}
	s.heap.Offer(item, -vec.SquaredDistance(s.row, r.items.Row(int(item))))
	r.raise(j)
}

// raise sets seat j's bound by the last of its list, once that is full.
func (r *blockRanker) raise(j int) {
	if worst, full := r.seats[j].heap.Worst(); full {
		r.bounds[j] = r.bound(r.seats[j].base, -worst)
	}
}
