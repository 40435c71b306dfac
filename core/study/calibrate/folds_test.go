package calibrate

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
)

// Every user is left out once, of many users two thousand; the parts are equal, and the seed decides.
func TestFoldsLeaveEverybodyOutOnce(t *testing.T) {
	for _, want := range []struct{ users, interactions, folds, people int }{
		{3, 30, 0, 0}, {4, 4, 4, 4}, {570, 9000, 4, 570}, {5000, 199_999, 4, 2000}, {6000, 100_000, 4, 2000},
		{9000, 100_000, 3, 2000}, {10000, 100_000, 2, 2000}, {20000, 199_999, 1, 2000}, {500000, 0, 1, 2000},
		{3, 200_000, 0, 0}, {4, 200_000, 1, 1}, {6000, 200_000, 1, 1200}, {10000, 200_000, 1, 2000},
		{20000, 300_000, 1, 2000},
	} {
		users := want.users
		folds := Folds(people(users, want.interactions), 7)
		all := slices.Concat(folds...)
		for _, f := range folds {
			if !slices.IsSorted(f) || len(f) < want.people/want.folds || len(f) > want.people/want.folds+1 {
				t.Errorf("of %d users a fold leaves out %d", users, len(f))
			}
		}
		slices.Sort(all)
		if len(folds) != want.folds || len(slices.Compact(all)) != want.people || FoldCount(users, want.interactions) != want.folds {
			t.Errorf("of %d users %d folds leave out %d people, want %+v", users, len(folds), len(all), want)
		}
		if len(all) > 0 && (all[0] < 0 || all[len(all)-1] >= users) {
			t.Errorf("of %d users there are %d to %d", users, all[0], all[len(all)-1])
		}
	}
	same := func(a, b [][]int) bool { return slices.EqualFunc(a, b, slices.Equal) }
	if few := people(100, 0); !same(Folds(few, 1), Folds(few, 1)) || same(Folds(few, 1), Folds(few, 2)) {
		t.Error("the seed does not decide the folds")
	}
}

// people are so many users with so many interactions in all.
func people(users, interactions int) *dataset.Matrix {
	m := &dataset.Matrix{Cols: max(interactions, 1), Offsets: make([]int, users+1), Indices: make([]int32, interactions)}
	m.Offsets[users] = interactions
	return m
}

func TestWithoutEmptiesRows(t *testing.T) {
	m := dataset.NewMatrix(3, 4, []dataset.Pair{{Row: 0, Col: 1}, {Row: 1, Col: 0}, {Row: 1, Col: 3}, {Row: 2, Col: 2}})
	w := Without(m, []int{1})
	if w.Rows() != 3 || w.Len() != 2 || w.Contains(1, 0) || !w.Contains(0, 1) || !w.Contains(2, 2) {
		t.Errorf("%+v", w)
	}
	if Without(nil, []int{0}) != nil || m.Len() != 4 {
		t.Error("what was given has changed")
	}
}
