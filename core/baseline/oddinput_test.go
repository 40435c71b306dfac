package baseline

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/oddtest"
)

// quick returns settings with which a method takes no time.
func quick(m *Method) Values {
	v := Values{}
	for _, s := range m.Settings {
		if x, ok := map[string]float64{"epochs": 2, "dim": 3, "batch": 4, "outer": 4}[s.Name]; ok {
			v[s.Name] = x
		}
	}
	return v
}

func TestEveryMethodOnOddData(t *testing.T) {
	for _, m := range Methods() {
		oddtest.Check(t, m.Name, false, func(train *dataset.Matrix) (eval.Scorer, error) {
			return m.Fit(t.Context(), train, quick(&m), 2)
		})
	}
}

// As docs/cli.md says of users without training items: methods that score by history score all items the same, and
// popularity gives all such users the same list.
func TestUsersWithoutItems(t *testing.T) {
	train := oddtest.Matrix(6, []int32{0, 1, 2}, nil, []int32{0, 2, 3}, []int32{0, 3, 4}, nil)
	for _, m := range Methods() {
		s, err := m.Fit(t.Context(), train, quick(&m), 1)
		if err != nil {
			t.Fatal(err)
		}
		one, other := scoresOf(s, 1), scoresOf(s, 4)
		alike := slices.Min(one) == slices.Max(one)
		if alike == (m.Name == "popularity") || !slices.Equal(one, other) {
			t.Errorf("%s: %v and %v", m.Name, one, other)
		}
	}
}
