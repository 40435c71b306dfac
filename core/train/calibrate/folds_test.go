package calibrate

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
)

// The folds are disjoint, leave out a quarter of the users each, at most a thousand, and at least 500 together if there
// are as many. They depend on the seed.
func TestFolds(t *testing.T) {
	for _, want := range []struct{ users, folds, people int }{
		{3, 0, 0}, {4, 4, 4}, {570, 4, 570}, {700, 3, 525}, {1600, 2, 800}, {1999, 2, 999}, {2000, 1, 500},
		{5000, 1, 1000}, {500_000, 1, 1000},
	} {
		users := want.users
		folds := Folds(people(users, 0), 7)
		all := slices.Concat(folds...)
		for _, f := range folds {
			if !slices.IsSorted(f) || len(f) < want.people/want.folds || len(f) > want.people/want.folds+1 {
				t.Errorf("%d users: a fold leaves out %d", users, len(f))
			}
		}
		slices.Sort(all)
		if len(folds) != want.folds || len(slices.Compact(all)) != want.people || FoldCount(users) != want.folds {
			t.Errorf("%d users: %d folds leave out %d users, want %+v", users, len(folds), len(all), want)
		}
		if len(all) > 0 && (all[0] < 0 || all[len(all)-1] >= users) {
			t.Errorf("%d users: left out %d to %d", users, all[0], all[len(all)-1])
		}
	}
	same := func(a, b [][]int) bool { return slices.EqualFunc(a, b, slices.Equal) }
	if few := people(100, 0); !same(Folds(few, 1), Folds(few, 1)) || same(Folds(few, 1), Folds(few, 2)) {
		t.Error("the folds do not depend on the seed")
	}
}

// One in fifty users is left out, between 400 and 2,000, and nobody if the users or interactions are few.
func TestLeftOutOfTheKeptTraining(t *testing.T) {
	for _, want := range []struct{ users, likes, left int }{
		{9_999, 10, 0}, {10_000, 4, 0}, {10_000, 5, 400}, {25_000, 5, 500}, {99_999, 4, 1999}, {130_000, 4, 2000},
	} {
		d := liking(want.users, want.likes)
		left := LeftOut(d, 7)
		if len(left) != want.left || !slices.IsSorted(left) || len(slices.Compact(slices.Clone(left))) != len(left) {
			t.Errorf("%+v: %d left out", want, len(left))
		}
		if left != nil && (!slices.Equal(left, LeftOut(d, 7)) || slices.Equal(left, LeftOut(d, 8))) {
			t.Error("the users left out do not depend on the seed")
		}
	}
}

// A user stays if leaving them out would take more than half of the likes of an item.
func TestNoItemIsLeftOutWithItsUsers(t *testing.T) {
	d := liking(60_000, 4)
	var pairs []dataset.Pair
	for u := range d.Rows() { // every pair of users has its own item
		for _, i := range append(slices.Clone(d.Row(u)), int32(d.Cols+u/2)) {
			pairs = append(pairs, dataset.Pair{Row: int32(u), Col: i})
		}
	}
	d = dataset.NewMatrix(d.Rows(), d.Cols+d.Rows()/2, pairs)
	left := LeftOut(d, 1)
	rest := Without(d, left)
	before, after := make([]int, d.Cols), make([]int, d.Cols)
	for _, i := range d.Indices {
		before[i]++
	}
	for _, i := range rest.Indices {
		after[i]++
	}
	lost := 0
	for i := range before {
		if 2*after[i] < before[i] {
			t.Fatalf("%d likes of item %d: only %d are left", before[i], i, after[i])
		}
		lost += before[i] - after[i]
	}
	if len(left) != 1200 || lost != 5*1200 {
		t.Errorf("left out %d users with %d likes", len(left), lost)
	}
}

// liking returns users who like the given number of 100 items each.
func liking(users, likes int) *dataset.Matrix {
	var pairs []dataset.Pair
	for u := range users {
		for k := range likes {
			pairs = append(pairs, dataset.Pair{Row: int32(u), Col: int32((u + 7*k) % 100)})
		}
	}
	return dataset.NewMatrix(users, 100, pairs)
}

// people returns users with the given number of interactions in all.
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
		t.Error("the input has changed")
	}
}
