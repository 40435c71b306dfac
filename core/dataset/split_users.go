package dataset

import (
	"math"
	"math/rand/v2"
	"slices"
)

// UserSplit is a split by users, for strong generalisation: nobody in Validation or Test is in Train. Everything is
// U×I.
type UserSplit struct {
	Train *Matrix // the rows of held-out users are empty
	// The held-out users: their Train holds the likes that they give, their Test the likes to predict.
	Validation, Test Split
}

// predicted is the share of a held-out user's likes that are to be predicted, in ByUser.
const predicted = 0.2

// ByUser draws round(share·U) users for Test and as many for Validation. A random fifth of the likes of each,
// round(n/5) of n, is to be predicted, and the others are given. Equal seeds give equal splits. It panics unless 0 <
// share < ½. O(nnz).
func (d *Dataset) ByUser(share float64, seed uint64) UserSplit {
	if !(share > 0 && share < 0.5) {
		panic(ArgumentError{"ByUser", "the share of test users must lie between 0 and 0.5"})
	}
	m := d.Positives
	var p rand.PCG
	stream(&p, seed, purposeUsers, 0)
	drawn := rand.New(&p).Perm(m.Rows())
	n := int(math.Round(share * float64(m.Rows())))
	parts := HoldOut(m, predicted, seed)
	test, validation := make([]bool, m.Rows()), make([]bool, m.Rows())
	for k, u := range drawn[:min(2*n, len(drawn))] {
		test[u], validation[u] = k < n, k >= n
	}
	return UserSplit{
		Train:      m.only(func(u int) bool { return !test[u] && !validation[u] }),
		Validation: parts.only(validation), Test: parts.only(test),
	}
}

// SplitUsers returns the split of a published folder of held-out users, as LoadFixed reads it: known holds the likes of
// the training users and those that held-out users give. validation may be nil. Users of both held-out parts count as
// test users. O(nnz).
func SplitUsers(known, validation, test *Matrix) UserSplit {
	if validation == nil {
		validation = &Matrix{Cols: known.Cols, Offsets: make([]int, known.Rows()+1)}
	}
	tests, validates := make([]bool, known.Rows()), make([]bool, known.Rows())
	for u := range tests {
		tests[u] = len(test.Row(u)) > 0
		validates[u] = !tests[u] && len(validation.Row(u)) > 0
	}
	return UserSplit{
		Train:      known.only(func(u int) bool { return !tests[u] && !validates[u] }),
		Validation: Split{known, validation}.only(validates), Test: Split{known, test}.only(tests),
	}
}

// Tell returns the split of users who give only n random ones of their likes in Train; Test then holds all their other
// likes. Users with fewer than n are in neither part. With one seed, the likes for a smaller n are among those for a
// larger one. O(nnz).
func (s Split) Tell(n int, seed uint64) Split {
	var told, others []Pair
	var p rand.PCG
	r := rand.New(&p)
	for u := range s.Train.Rows() {
		row := s.Train.Row(u)
		if len(row) < n || len(row) == 0 {
			continue
		}
		stream(&p, seed, purposeTell, u)
		for k, at := range r.Perm(len(row)) {
			if pair := (Pair{Row: int32(u), Col: row[at]}); k < n {
				told = append(told, pair)
			} else {
				others = append(others, pair)
			}
		}
		for _, i := range s.Test.Row(u) {
			others = append(others, Pair{Row: int32(u), Col: i})
		}
	}
	return Split{NewMatrix(s.Train.Rows(), s.Train.Cols, told), NewMatrix(s.Train.Rows(), s.Train.Cols, others)}
}

// only returns both parts with the rows of some users.
func (s Split) only(users []bool) Split {
	is := func(u int) bool { return users[u] }
	return Split{s.Train.only(is), s.Test.only(is)}
}

// only returns the matrix with only some of its rows; the others are empty.
func (m *Matrix) only(keep func(row int) bool) *Matrix {
	out := &Matrix{Cols: m.Cols, Offsets: make([]int, m.Rows()+1)}
	for r := range m.Rows() {
		if keep(r) {
			out.Indices = append(out.Indices, m.Row(r)...)
		}
		out.Offsets[r+1] = len(out.Indices)
	}
	return out
}

// TrainingUsers returns the data set of a split's training users alone, with all items, so that a training has no trace
// of the held-out users. d must be the data set that was split. O(nnz + I).
func (d *Dataset) TrainingUsers(s UserSplit) *Dataset {
	var users []int
	var ids []string
	for u := range s.Train.Rows() {
		if len(s.Train.Row(u)) > 0 {
			users, ids = append(users, u), append(ids, d.Users.ID(u))
		}
	}
	take := func(m *Matrix) *Matrix {
		if m == nil {
			return nil
		}
		out := &Matrix{Cols: m.Cols, Offsets: make([]int, 1, len(users)+1)}
		for _, u := range users {
			out.Indices = append(out.Indices, m.Row(u)...)
			out.Offsets = append(out.Offsets, len(out.Indices))
		}
		return out
	}
	part := d.LearnedFrom(take(d.Positives))
	part.Low, part.Unliked, part.Validation = take(d.Low), take(d.Unliked), nil
	var err error
	if part.Users, err = NewIDs(ids); err != nil {
		panic(err) // they are ids of d
	}
	if d.Times != nil {
		part.Times = []int64{}
		for _, u := range users {
			part.Times = append(part.Times, d.Times[d.Positives.Offsets[u]:d.Positives.Offsets[u+1]]...)
		}
	}
	return part
}

// Visits returns n visits by each of some users of m: in visit f, which is row k·n+f for users[k], one in n of
// the likes is to be found, and the others are told. So each like is to be found once. Visits that would
// tell nothing or look for nothing are empty. Equal seeds give equal visits. It panics unless 2 ≤ n ≤ 1,000. O(n·nnz).
func Visits(m *Matrix, users []int, n int, seed uint64) Split {
	f := newFolding(n, seed)
	told, sought := &Matrix{Cols: m.Cols, Offsets: []int{0}}, &Matrix{Cols: m.Cols, Offsets: []int{0}}
	var fold []uint16
	for _, u := range users {
		row := m.Row(u)
		fold = slices.Grow(fold[:0], len(row))[:len(row)]
		f.row(u, fold)
		for k := range n {
			before := len(told.Indices)
			for at, i := range row {
				if int(fold[at]) == k {
					sought.Indices = append(sought.Indices, i)
				} else {
					told.Indices = append(told.Indices, i)
				}
			}
			if len(told.Indices) == before {
				sought.Indices = sought.Indices[:sought.Offsets[len(sought.Offsets)-1]]
			}
			told.Offsets = append(told.Offsets, len(told.Indices))
			sought.Offsets = append(sought.Offsets, len(sought.Indices))
		}
	}
	return Split{Train: told, Test: sought}
}
