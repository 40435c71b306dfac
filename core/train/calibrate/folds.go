package calibrate

import (
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
)

const (
	maxFolds    = 4    // trainings without some of the users, each without a quarter of them
	enoughUsers = 500  // users left out, over all trainings, that suffice
	maxLeftOut  = 1000 // users left out of one training

	// From this many users and interactions on no such training is made: the kept training itself leaves out one in
	// fifty users, within these bounds.
	manyUsers      = 10_000
	manyLikes      = 50_000
	leftOutShare   = 50
	leastLeftOutOf = 400
	maxLeftOutOf   = 2000
)

// FoldCount returns the number of trainings that calibration needs, each without a quarter of the users, at most 1,000:
// 4 below 667 users, 1 from 2,000 on, so that 500 users are left out in all. Below four users it is 0.
func FoldCount(users int) int {
	if users < maxFolds {
		return 0
	}
	return min((maxFolds*enoughUsers+users-1)/users, maxFolds)
}

// Folds returns FoldCount random parts of the users of likes (U×I), equal in size (±1), each ascending. Each lists the
// users that one training leaves out; the parts need not cover all users. seed controls the draw. O(U).
func Folds(likes *dataset.Matrix, seed uint64) [][]int {
	users := likes.Rows()
	n := FoldCount(users)
	if n == 0 {
		return nil
	}
	return deal(shuffled(users, seed)[:min(n*users/maxFolds, n*maxLeftOut)], n)
}

// LeftOut returns the users that the kept training itself leaves out, ascending, drawn by seed: one in 50, between 400
// and 2,000. On Gowalla one in 50 lowers Recall@20 by 0.3%. It returns nil below 10,000 users or below 50,000
// interactions in likes (U×I). Users are kept in if an item would otherwise lose more than half of its likes. The
// settings must compose users from their likes; otherwise those left out would have no row. O(nnz).
func LeftOut(likes *dataset.Matrix, seed uint64) (left []int) {
	users := likes.Rows()
	if users < manyUsers || likes.Len() < manyLikes {
		return nil
	}
	counts := make([]int, likes.Cols)
	for _, i := range likes.Indices {
		counts[i]++
	}
	lost := make([]int, likes.Cols)
	wanted := min(max(users/leftOutShare, leastLeftOutOf), maxLeftOutOf)
	for _, u := range shuffled(users, seed) {
		if len(left) == wanted {
			break
		}
		row := likes.Row(u)
		if slices.ContainsFunc(row, func(i int32) bool { return 2*(lost[i]+1) > counts[i] }) {
			continue
		}
		for _, i := range row {
			lost[i]++
		}
		left = append(left, u)
	}
	slices.Sort(left)
	return left
}

// shuffled returns the users in the order in which they are left out.
func shuffled(users int, seed uint64) []int {
	return rand.New(rand.NewPCG(seed, 0x666f6c6473)).Perm(users)
}

// Parts cuts the users 0…users−1 into n random parts of equal size (±1), each ascending. O(users).
func Parts(users, n int, seed uint64) [][]int {
	return deal(rand.New(rand.NewPCG(seed, 0x7061727473)).Perm(users), n)
}

// deal splits users into n sorted parts.
func deal(users []int, n int) [][]int {
	parts := make([][]int, n)
	for k, u := range users {
		parts[k%n] = append(parts[k%n], u)
	}
	for _, p := range parts {
		slices.Sort(p)
	}
	return parts
}

// Without returns m with the given rows (ascending) emptied; nil if m is nil. O(nnz).
func Without(m *dataset.Matrix, rows []int) *dataset.Matrix { return some(m, rows, false) }

// Only returns m with all but the given rows (ascending) emptied. O(nnz).
func Only(m *dataset.Matrix, rows []int) *dataset.Matrix { return some(m, rows, true) }

func some(m *dataset.Matrix, rows []int, keep bool) *dataset.Matrix {
	if m == nil {
		return nil
	}
	out := &dataset.Matrix{Cols: m.Cols, Offsets: make([]int, 1, m.Rows()+1)}
	for u := range m.Rows() {
		if _, is := slices.BinarySearch(rows, u); is == keep {
			out.Indices = append(out.Indices, m.Row(u)...)
		}
		out.Offsets = append(out.Offsets, len(out.Indices))
	}
	return out
}

// Without returns d without the feedback of the given users (ascending).
func (d Data) Without(users []int) Data {
	return Data{Likes: Without(d.Likes, users), Unliked: Without(d.Unliked, users), Low: Without(d.Low, users)}
}
