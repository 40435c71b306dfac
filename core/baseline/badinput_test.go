package baseline

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
)

// quick are settings with which a method takes no time.
func quick(m *Method) Values {
	v := Values{}
	for name, x := range map[string]float64{"epochs": 2, "dim": 3, "batch": 4, "outer": 4} {
		if _, has := m.setting(name); has {
			v[name] = x
		}
	}
	return v
}

// matrixOf is a matrix with these rows.
func matrixOf(items int, rows ...[]int32) *dataset.Matrix {
	var pairs []dataset.Pair
	for u, row := range rows {
		for _, i := range row {
			pairs = append(pairs, dataset.Pair{Row: int32(u), Col: i})
		}
	}
	return dataset.NewMatrix(len(rows), items, pairs)
}

// Whatever the data, every method gives scores that are numbers, and figures that are shares, or says in words why it
// cannot.
func TestEveryMethodOnOddData(t *testing.T) {
	none := []int32(nil)
	for name, c := range map[string]struct {
		train, test *dataset.Matrix
		users       int  // that are measured
		nothing     bool // to learn from: no pair has a negative
	}{
		"a user without test items": {matrixOf(4, []int32{0, 1}, []int32{1, 2}, []int32{0, 3}),
			matrixOf(4, []int32{2}, none, []int32{1}), 2, false},
		"nobody with test items": {matrixOf(4, []int32{0, 1}, []int32{1, 2}), matrixOf(4, none, none), 0, false},
		"a user without training items": {matrixOf(4, []int32{0, 1}, none, []int32{0, 3}),
			matrixOf(4, []int32{2}, []int32{1}, none), 2, false},
		"an item that nobody has": {matrixOf(5, []int32{0, 1}, []int32{1, 2}, []int32{0, 3}),
			matrixOf(5, []int32{4}, []int32{4}, none), 2, false},
		"one user":           {matrixOf(4, []int32{0, 1}), matrixOf(4, []int32{2}), 1, false},
		"one item":           {matrixOf(1, []int32{0}, none), matrixOf(1, none, []int32{0}), 1, true},
		"one user, one item": {matrixOf(1, []int32{0}), matrixOf(1, none), 0, true},
		"a user who has seen all": {matrixOf(3, []int32{0, 1, 2}, []int32{1}, []int32{0, 2}),
			matrixOf(3, none, []int32{0}, []int32{1}), 2, false},
		"everybody has seen all": {matrixOf(3, []int32{0, 1, 2}, []int32{0, 1, 2}), matrixOf(3, none, none), 0,
			true},
		"everybody has the same item": {matrixOf(3, []int32{1}, []int32{1}, []int32{1}),
			matrixOf(3, []int32{0}, []int32{2}, none), 2, false},
	} {
		for _, m := range Methods() {
			s, err := m.Fit(context.Background(), c.train, quick(&m), 2)
			if m.Learned() && c.nothing {
				if s != nil || err == nil || !strings.Contains(err.Error(), "nothing to learn from") {
					t.Errorf("%s, %s: %v, want an error that says that there is nothing to learn", m.Name, name, err)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s, %s: %v", m.Name, name, err)
				continue
			}
			for u := range c.train.Rows() {
				for i, x := range scoresOf(s, u) {
					if x != x || math.IsInf(float64(x), 0) {
						t.Errorf("%s, %s: score(%d,%d) = %v", m.Name, name, u, i, x)
					}
				}
			}
			// Lists longer than the catalogue too.
			r, err := eval.Evaluate(context.Background(), s, c.train, c.test,
				eval.Options{Ks: []int{1, 10 * c.train.Cols}})
			if err != nil {
				t.Errorf("%s, %s: %v", m.Name, name, err)
				continue
			}
			if r.Users != c.users {
				t.Errorf("%s, %s: %d users measured, want %d", m.Name, name, r.Users, c.users)
			}
			// Nothing that can be found is missed by a list of everything.
			if c.users > 0 && math.Abs(r.Recall[1]-1) > 1e-12 {
				t.Errorf("%s, %s: recall of everything is %v", m.Name, name, r.Recall[1])
			}
			if n := r.NDCG[0]; c.users > 0 && !(n >= 0 && n <= 1) {
				t.Errorf("%s, %s: ndcg@1 is %v", m.Name, name, n)
			}
		}
	}
}
