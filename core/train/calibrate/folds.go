package calibrate

import (
	"math/rand/v2"
	"slices"

	"github.com/pmlam/pmlam/core/dataset"
)

const (
	maxFolds    = 4    // trainings that leave people out
	maxLeftOut  = 2000 // people that are left out, by all of them together
	enoughUsers = 10 * maxLeftOut

	// From so many interactions on there is one such training: it takes long, and people have been left out enough.
	oneFold      = 200_000
	oneFoldShare = 5 // of which it leaves out one in so many users

	// With so many users too, there is none: the training that is kept leaves out one in so many of them itself.
	manyUsers    = 50_000
	leftOutShare = 50
)

// FoldCount returns how many trainings the calibration on so many users and interactions takes. Of less than 200,000
// interactions they are 4 of up to 5,000 users, each without a quarter of them or so; fewer of more users, each without
// a tenth of them; one from 20,000 on. Of more interactions it is one, without a fifth of the users, at most 2,000. Of
// fewer than four users there is none.
func FoldCount(users, interactions int) int {
	switch {
	case users < maxFolds:
		return 0
	case interactions >= oneFold:
		return 1
	}
	return min((enoughUsers+users-1)/users, maxFolds)
}

// Folds cuts the users of likes (U×I), or as many of them as FoldCount says where that is less, at random by the seed
// into FoldCount parts of equal size (±1): each lists, ascending, the users whom one training leaves out. O(U).
func Folds(likes *dataset.Matrix, seed uint64) [][]int {
	users := likes.Rows()
	n := FoldCount(users, likes.Len())
	if n == 0 {
		return nil
	}
	order := shuffled(users, seed)
	left := min(users, maxLeftOut)
	if n == 1 {
		left = min(left, max(users/oneFoldShare, 1))
	}
	return deal(order[:left], n)
}

// LeftOut returns the users, ascending, whom the kept training itself leaves out where there are many, chosen at random
// by the seed; nil where there are fewer than 50,000, or fewer than 200,000 interactions in likes (U×I). It is one in
// 50, at most 2,000: on Gowalla Recall@20 falls by 0.3% without them. Nobody is left out by whom an item would lose
// more than half of its likes. Users are then composed of their likes, or they would have no row. O(nnz).
func LeftOut(likes *dataset.Matrix, seed uint64) (left []int) {
	users := likes.Rows()
	if users < manyUsers || likes.Len() < oneFold {
		return nil
	}
	counts := make([]int, likes.Cols)
	for _, i := range likes.Indices {
		counts[i]++
	}
	lost := make([]int, likes.Cols)
	wanted := min(users/leftOutShare, maxLeftOut)
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

// Parts cuts the users 0…users−1 at random by the seed into n parts of equal size (±1), each ascending. O(users).
func Parts(users, n int, seed uint64) [][]int {
	return deal(rand.New(rand.NewPCG(seed, 0x7061727473)).Perm(users), n)
}

// deal deals the users out to n parts, and sorts each.
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

// Without returns m with the given rows, ascending, empty; nil where m is nil. O(nnz).
func Without(m *dataset.Matrix, rows []int) *dataset.Matrix {
	if m == nil {
		return nil
	}
	out := &dataset.Matrix{Cols: m.Cols, Offsets: make([]int, 1, m.Rows()+1)}
	for u := range m.Rows() {
		if _, is := slices.BinarySearch(rows, u); !is {
			out.Indices = append(out.Indices, m.Row(u)...)
		}
		out.Offsets = append(out.Offsets, len(out.Indices))
	}
	return out
}

// Without returns what all but the given users, ascending, said.
func (d Data) Without(users []int) Data {
	return Data{Likes: Without(d.Likes, users), Unliked: Without(d.Unliked, users), Low: Without(d.Low, users)}
}
