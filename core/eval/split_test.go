package eval_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
)

// The assumptions of evaluation: a split is a partition of each user's items, no test item is in the training part, and
// only the seed decides. These tests use dataset's public interface.

// drawDataset draws users with any number of items, from none to all, and times with ties.
func drawDataset(r *rand.Rand) *dataset.Dataset {
	users, items := 1+r.IntN(30), 1+r.IntN(40)
	var pairs []dataset.Pair
	for u := range users {
		share := r.Float64() * 1.3
		if r.IntN(8) == 0 {
			share = 0
		}
		for i := range items {
			if r.Float64() < share {
				pairs = append(pairs, dataset.Pair{Row: int32(u), Col: int32(i)})
			}
		}
	}
	m := dataset.NewMatrix(users, items, pairs)
	times := make([]int64, m.Len())
	for i := range times {
		times[i] = int64(r.IntN(12))
	}
	return &dataset.Dataset{Positives: m, Times: times}
}

// mustPartition fails unless train and test are disjoint and together give whole, row by row, in the form of every
// Matrix.
func mustPartition(t *testing.T, whole *dataset.Matrix, s dataset.Split) {
	t.Helper()
	for _, m := range []*dataset.Matrix{s.Train, s.Test} {
		if m.Rows() != whole.Rows() || m.Cols != whole.Cols {
			t.Fatalf("a part is %d×%d, the whole %d×%d", m.Rows(), m.Cols, whole.Rows(), whole.Cols)
		}
		for u := range m.Rows() {
			if row := m.Row(u); !slices.IsSorted(row) {
				t.Fatalf("row %d is not ascending: %v", u, row)
			}
		}
	}
	for u := range whole.Rows() {
		both := slices.Concat(s.Train.Row(u), s.Test.Row(u))
		slices.Sort(both)
		if !slices.Equal(both, whole.Row(u)) {
			t.Fatalf("user %d: train %v and test %v are not a partition of %v", u, s.Train.Row(u), s.Test.Row(u),
				whole.Row(u))
		}
	}
}

func equal(a, b *dataset.Matrix) bool {
	return a.Cols == b.Cols && slices.Equal(a.Offsets, b.Offsets) && slices.Equal(a.Indices, b.Indices)
}

func TestFoldsPartitionEachUsersItems(t *testing.T) {
	r := rand.New(rand.NewPCG(21, 1))
	for range 150 {
		d := drawDataset(r)
		n, seed := 2+r.IntN(5), r.Uint64()
		folds := d.Folds(n, seed)
		if len(folds) != n {
			t.Fatalf("%d folds, want %d", len(folds), n)
		}
		for k, f := range folds {
			mustPartition(t, d.Positives, f)
			one := d.Fold(n, k, seed)
			if !equal(one.Train, f.Train) || !equal(one.Test, f.Test) {
				t.Fatalf("Fold(%d, %d) differs from Folds at %d", n, k, k)
			}
		}
		for u := range d.Positives.Rows() {
			var tested []int32
			smallest, largest := len(folds[0].Test.Row(u)), len(folds[0].Test.Row(u))
			for _, f := range folds {
				tested = append(tested, f.Test.Row(u)...)
				smallest, largest = min(smallest, len(f.Test.Row(u))), max(largest, len(f.Test.Row(u)))
			}
			slices.Sort(tested)
			if !slices.Equal(tested, d.Positives.Row(u)) {
				t.Fatalf("user %d: the test parts of all folds are %v, want each of %v once", u, tested,
					d.Positives.Row(u))
			}
			if largest-smallest > 1 {
				t.Fatalf("user %d: folds of %d and of %d items", u, smallest, largest)
			}
		}
	}
}

func TestHoldOutIsAPartition(t *testing.T) {
	r := rand.New(rand.NewPCG(22, 1))
	for range 150 {
		d := drawDataset(r)
		before := dataset.NewMatrix(d.Positives.Rows(), d.Positives.Cols, pairs(d.Positives))
		s := dataset.HoldOut(d.Positives, .1+.8*r.Float64(), r.Uint64())
		mustPartition(t, d.Positives, s)
		if !equal(d.Positives, before) {
			t.Fatal("HoldOut changed its input")
		}
	}
}

func TestSplitsDependOnTheSeedAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(23, 1))
	var d *dataset.Dataset
	for d == nil || d.Positives.Len() < 200 {
		d = drawDataset(r)
	}
	copied := &dataset.Dataset{Positives: dataset.NewMatrix(d.Positives.Rows(), d.Positives.Cols, pairs(d.Positives)),
		Times: slices.Clone(d.Times)}
	a, b, other := d.Fold(5, 0, 7), copied.Fold(5, 0, 7), d.Fold(5, 0, 8)
	if !equal(a.Train, b.Train) || !equal(a.Test, b.Test) {
		t.Error("the same data and seed give two splits")
	}
	if equal(a.Test, other.Test) {
		t.Error("another seed gives the same split")
	}
	if s := dataset.HoldOut(d.Positives, .2, 7); !equal(s.Test, dataset.HoldOut(d.Positives, .2, 7).Test) {
		t.Error("HoldOut: the same seed gives two splits")
	} else if equal(s.Test, dataset.HoldOut(d.Positives, .2, 8).Test) {
		t.Error("HoldOut: another seed gives the same split")
	}
}

// Validation is cut from a fold's training part, even with the fold's own seed, so no test item may return.
func TestHoldOutInsideAFoldStaysInsideTraining(t *testing.T) {
	r := rand.New(rand.NewPCG(24, 1))
	for range 60 {
		d := drawDataset(r)
		seed := r.Uint64()
		outer := d.Fold(5, 0, seed)
		inner := dataset.HoldOut(outer.Train, .25, seed)
		mustPartition(t, outer.Train, inner)
		for u := range outer.Test.Rows() {
			for _, i := range outer.Test.Row(u) {
				if inner.Train.Contains(u, i) || inner.Test.Contains(u, i) {
					t.Fatalf("test item %d of user %d reached the inner split", i, u)
				}
			}
		}
	}
}

func TestByTimeTestsTheLatest(t *testing.T) {
	r := rand.New(rand.NewPCG(25, 1))
	for range 150 {
		d := drawDataset(r)
		s, err := d.ByTime(.05 + .9*r.Float64())
		if err != nil {
			t.Fatal(err)
		}
		mustPartition(t, d.Positives, s)
		for u := range d.Positives.Rows() {
			row := d.Positives.Row(u)
			when := func(item int32) int64 {
				at, _ := slices.BinarySearch(row, item)
				return d.Times[d.Positives.Offsets[u]+at]
			}
			for _, early := range s.Train.Row(u) {
				for _, late := range s.Test.Row(u) {
					if when(early) > when(late) {
						t.Fatalf("user %d: item %d (time %d) is in training, item %d (time %d) in test", u, early,
							when(early), late, when(late))
					}
				}
			}
		}
	}
}

func TestUsersLeftOutAreLeftOutWholly(t *testing.T) {
	r := rand.New(rand.NewPCG(26, 1))
	for range 100 {
		d := drawDataset(r)
		seed := r.Uint64()
		share := .1 + .8*r.Float64()
		train, held := d.LeaveUsersOut(share, seed)
		if !slices.IsSorted(held) || len(slices.Compact(slices.Clone(held))) != len(held) {
			t.Fatalf("the left-out users are not strictly ascending: %v", held)
		}
		for u := range d.Positives.Rows() {
			want := d.Positives.Row(u)
			if slices.Contains(held, u) {
				want = nil
			}
			if !slices.Equal(train.Row(u), want) {
				t.Fatalf("user %d trains on %v, want %v", u, train.Row(u), want)
			}
		}
		again, heldAgain := d.LeaveUsersOut(share, seed)
		if !equal(train, again) || !slices.Equal(held, heldAgain) {
			t.Fatal("the same seed leaves out other users")
		}
	}
}

func pairs(m *dataset.Matrix) []dataset.Pair {
	var p []dataset.Pair
	for u := range m.Rows() {
		for _, i := range m.Row(u) {
			p = append(p, dataset.Pair{Row: int32(u), Col: i})
		}
	}
	return p
}
