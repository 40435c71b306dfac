package dataset

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Split is a pair of disjoint matrices of the same shape U×I.
type Split struct{ Train, Test *Matrix }

// Purposes of random streams: under one seed, the draws for one are independent of the draws for another.
const (
	purposeFolds = iota + 1
	purposeHoldOut
	purposeUsers
	purposeTell
	purposeDraw
)

// stream returns the generator of one user (or of all: 0) for one purpose. It depends on nothing else, so the order of
// users does not matter.
func stream(p *rand.PCG, seed uint64, purpose, user int) {
	// SplitMix64 spreads neighbouring users over the whole state.
	z := uint64(user) + uint64(purpose)<<56 + 0x9e3779b97f4a7c15
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	p.Seed(seed, z^z>>31)
}

// Folds cuts the positives into n folds as the paper does: each user's items are split at random into n folds of equal
// size (±1, at random too); split k tests on fold k and trains on the others. Equal seeds give equal folds. A user with
// fewer than n items has empty test rows in some splits. It panics unless 2 ≤ n ≤ 1,000. O(n·nnz).
func (d *Dataset) Folds(n int, seed uint64) []Split {
	fold := folds(d.Positives, n, seed)
	splits := make([]Split, n)
	for k := range splits {
		splits[k] = part(d.Positives, func(i int) bool { return int(fold[i]) == k })
	}
	return splits
}

// Fold returns Folds(n, seed)[k] alone. It panics unless 0 ≤ k < n. O(nnz).
func (d *Dataset) Fold(n, k int, seed uint64) Split {
	fold := folds(d.Positives, n, seed)
	if k < 0 || k >= n {
		panic(ArgumentError{"Fold", fmt.Sprintf("fold %d of %d", k, n)})
	}
	return part(d.Positives, func(i int) bool { return int(fold[i]) == k })
}

// folds returns the fold of each of m's ones.
func folds(m *Matrix, n int, seed uint64) []uint16 {
	fold := make([]uint16, m.Len())
	f := newFolding(n, seed)
	for u := range m.Rows() {
		f.row(u, fold[m.Offsets[u]:m.Offsets[u+1]])
	}
	return fold
}

// folding draws the folds of one user after the other.
type folding struct {
	n    int
	seed uint64
	pcg  rand.PCG
	rand *rand.Rand
}

func newFolding(n int, seed uint64) *folding {
	if n < 2 || n > 1000 {
		panic(ArgumentError{"Folds", fmt.Sprintf("%d folds; there can be 2 to 1,000", n)})
	}
	f := &folding{n: n, seed: seed}
	f.rand = rand.New(&f.pcg)
	return f
}

// row writes the folds of the user's positives.
func (f *folding) row(user int, fold []uint16) {
	stream(&f.pcg, f.seed, purposeFolds, user)
	first := f.rand.IntN(f.n)
	for i := range fold {
		fold[i] = uint16((first + i) % f.n)
	}
	f.rand.Shuffle(len(fold), func(i, j int) { fold[i], fold[j] = fold[j], fold[i] })
}

// ByTime tests on the latest share of each user's positives, round(share·n) of n, and trains on the earlier ones; at
// least one stays in train. Among equal times the higher item index counts as later. It returns *NoTimesError if the
// data have no times, and panics unless 0 < testShare < 1. O(nnz log of the longest row).
func (d *Dataset) ByTime(testShare float64) (Split, error) {
	checkShare("ByTime", testShare)
	if d.Times == nil {
		return Split{}, &NoTimesError{d.Name}
	}
	test := make([]bool, 0, d.Positives.Len())
	for u := range d.Positives.Rows() {
		test = append(test, LatestOf(d.Times[d.Positives.Offsets[u]:d.Positives.Offsets[u+1]], testShare)...)
	}
	return part(d.Positives, func(i int) bool { return test[i] }), nil
}

// HoldOut puts a random share of each row of m into Test, round(share·n) of n, and the rest into Train; at least one
// stays in Train. It serves validation within a training part and the targets of fold-in. Equal seeds give equal rows,
// each independent of the others. It panics unless 0 < share < 1. O(nnz).
func HoldOut(m *Matrix, share float64, seed uint64) Split {
	checkShare("HoldOut", share)
	test := make([]bool, m.Len())
	var p rand.PCG
	r := rand.New(&p)
	for u := range m.Rows() {
		stream(&p, seed, purposeHoldOut, u)
		row := test[m.Offsets[u]:m.Offsets[u+1]]
		for i := range held(len(row), share) {
			row[i] = true
		}
		r.Shuffle(len(row), func(i, j int) { row[i], row[j] = row[j], row[i] })
	}
	return part(m, func(i int) bool { return test[i] })
}

// LeaveUsersOut takes round(share·U) users at random out of training: train has the shape U×I, with the rows of the
// held users empty; held lists them, ascending. It panics unless 0 < share < 1. O(nnz).
func (d *Dataset) LeaveUsersOut(share float64, seed uint64) (train *Matrix, held []int) {
	checkShare("LeaveUsersOut", share)
	m := d.Positives
	var p rand.PCG
	stream(&p, seed, purposeUsers, 0)
	held = rand.New(&p).Perm(m.Rows())[:int(math.Round(share*float64(m.Rows())))]
	slices.Sort(held)
	out := make([]bool, m.Rows())
	for _, u := range held {
		out[u] = true
	}
	return m.only(func(u int) bool { return !out[u] }), held
}

// held returns the number of tested ones among n: round(share·n), but at least one is kept.
func held(n int, share float64) int {
	return max(min(int(math.Round(share*float64(n))), n-1), 0)
}

func checkShare(function string, share float64) {
	if !(share > 0 && share < 1) {
		panic(ArgumentError{function, fmt.Sprintf("a share of %g; it must lie between 0 and 1", share)})
	}
}

// part splits m in two, by the position of each entry in m.Indices.
func part(m *Matrix, test func(i int) bool) Split {
	count := 0
	for i := range m.Indices {
		if test(i) {
			count++
		}
	}
	s := Split{
		Train: &Matrix{Cols: m.Cols, Offsets: make([]int, m.Rows()+1), Indices: make([]int32, 0, m.Len()-count)},
		Test:  &Matrix{Cols: m.Cols, Offsets: make([]int, m.Rows()+1), Indices: make([]int32, 0, count)},
	}
	for u := range m.Rows() {
		for i := m.Offsets[u]; i < m.Offsets[u+1]; i++ {
			if test(i) {
				s.Test.Indices = append(s.Test.Indices, m.Indices[i])
			} else {
				s.Train.Indices = append(s.Train.Indices, m.Indices[i])
			}
		}
		s.Train.Offsets[u+1], s.Test.Offsets[u+1] = len(s.Train.Indices), len(s.Test.Indices)
	}
	return s
}

// ArgumentError is the value with which functions of this package panic for an argument out of range.
type ArgumentError struct{ Function, What string }

func (e ArgumentError) Error() string { return fmt.Sprintf("dataset.%s: %s", e.Function, e.What) }

// Digest names the data set in one split: a hash of the ids and of both parts. O(nnz).
func (d *Dataset) Digest(s Split) string {
	h := sha256.New()
	w := bufio.NewWriter(h)
	for u := range s.Train.Rows() {
		fmt.Fprintf(w, "u%q\n", d.Users.ID(u))
		for _, part := range []*Matrix{s.Train, s.Test} {
			for _, i := range part.Row(u) {
				fmt.Fprintf(w, "%q ", d.Items.ID(int(i)))
			}
			w.WriteByte('\n')
		}
	}
	w.Flush()
	return hex.EncodeToString(h.Sum(nil))[:16]
}

// Drawn returns the row of a user, or if it has more than most items and most is not 0, most of them in the same order,
// drawn at random without replacement. Equal arguments give equal draws. O(n).
func Drawn(row []int32, user, most int) []int32 {
	if most == 0 || len(row) <= most {
		return row
	}
	var p rand.PCG
	stream(&p, 0, purposeDraw, user)
	r, drawn := rand.New(&p), make([]int32, 0, most)
	for at, i := range row {
		if r.IntN(len(row)-at) < most-len(drawn) {
			drawn = append(drawn, i)
		}
	}
	return drawn
}
