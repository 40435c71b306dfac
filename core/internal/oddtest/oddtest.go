// Package oddtest checks methods on degenerate data: one user, one item, items that everybody has.
package oddtest

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// Matrix returns a matrix with these rows.
func Matrix(items int, rows ...[]int32) *dataset.Matrix {
	var pairs []dataset.Pair
	for u, row := range rows {
		for _, i := range row {
			pairs = append(pairs, dataset.Pair{Row: int32(u), Col: i})
		}
	}
	return dataset.NewMatrix(len(rows), items, pairs)
}

// Check fits a method on each case and fails t if a score is not a number or a figure not a share. A method learned by
// gradient descent must refuse data without a negative, with a clear error; any other must fit.
func Check(t *testing.T, method string, learned bool, fit func(train *dataset.Matrix) (eval.Scorer, error)) {
	t.Helper()
	none := []int32(nil)
	for name, c := range map[string]struct {
		train, test *dataset.Matrix
		users       int  // to be measured
		nothing     bool // nothing to learn from: no pair has a negative
	}{
		"a user without test items": {Matrix(4, []int32{0, 1}, []int32{1, 2}, []int32{0, 3}),
			Matrix(4, []int32{2}, none, []int32{1}), 2, false},
		"nobody with test items": {Matrix(4, []int32{0, 1}, []int32{1, 2}), Matrix(4, none, none), 0, false},
		"a user without training items": {Matrix(4, []int32{0, 1}, none, []int32{0, 3}),
			Matrix(4, []int32{2}, []int32{1}, none), 2, false},
		"an item that nobody has": {Matrix(5, []int32{0, 1}, []int32{1, 2}, []int32{0, 3}),
			Matrix(5, []int32{4}, []int32{4}, none), 2, false},
		"one user":           {Matrix(4, []int32{0, 1}), Matrix(4, []int32{2}), 1, false},
		"one item":           {Matrix(1, []int32{0}, none), Matrix(1, none, []int32{0}), 1, true},
		"one user, one item": {Matrix(1, []int32{0}), Matrix(1, none), 0, true},
		"a user who has seen all": {Matrix(3, []int32{0, 1, 2}, []int32{1}, []int32{0, 2}),
			Matrix(3, none, []int32{0}, []int32{1}), 2, false},
		"everybody has seen all": {Matrix(3, []int32{0, 1, 2}, []int32{0, 1, 2}), Matrix(3, none, none), 0,
			true},
		"everybody has the same item": {Matrix(3, []int32{1}, []int32{1}, []int32{1}),
			Matrix(3, []int32{0}, []int32{2}, none), 2, false},
	} {
		s, err := fit(c.train)
		if learned && c.nothing {
			if s != nil || err == nil || !strings.Contains(err.Error(), "nothing to learn from") {
				t.Errorf("%s, %s: %v, want an error that says that there is nothing to learn", method, name, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s, %s: %v", method, name, err)
			continue
		}
		for u := range c.train.Rows() {
			for i, x := range scores(s, u) {
				if x != x || math.IsInf(float64(x), 0) {
					t.Errorf("%s, %s: score(%d,%d) = %v", method, name, u, i, x)
				}
			}
		}
		// Lists longer than the catalogue too.
		r, err := eval.Evaluate(context.Background(), s, c.train, c.test,
			eval.Options{Ks: []int{1, 10 * c.train.Cols}})
		if err != nil {
			t.Errorf("%s, %s: %v", method, name, err)
			continue
		}
		if r.Users != c.users {
			t.Errorf("%s, %s: %d users measured, want %d", method, name, r.Users, c.users)
		}
		// A list of all items finds every relevant one.
		if c.users > 0 && math.Abs(r.Recall[1]-1) > 1e-12 {
			t.Errorf("%s, %s: recall of the full list is %v", method, name, r.Recall[1])
		}
		if n := r.NDCG[0]; c.users > 0 && !(n >= 0 && n <= 1) {
			t.Errorf("%s, %s: ndcg@1 is %v", method, name, n)
		}
	}
}

// scores returns a user's scores.
func scores(s eval.Scorer, user int) []float32 {
	dst := make([]float32, s.NumItems())
	for i := range dst {
		dst[i] = float32(math.NaN()) // old values must not matter
	}
	s.Score(user, dst)
	return dst
}
