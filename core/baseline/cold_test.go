package baseline

import (
	"slices"
	"testing"
)

// What docs/cli.md says of users without training items: methods that look at the history score all items alike,
// popularity and DeepAE give all such users one list, and other trained methods have a row for each.
func TestUsersWithoutItems(t *testing.T) {
	train := matrixOf(6, []int32{0, 1, 2}, nil, []int32{0, 2, 3}, []int32{0, 3, 4}, nil)
	for _, m := range Methods() {
		s, err := m.Fit(t.Context(), train, quick(&m), 1)
		if err != nil {
			t.Fatal(err)
		}
		one, other := scoresOf(s, 1), scoresOf(s, 4)
		alike := slices.Min(one) == slices.Max(one)
		popular := m.Name == "popularity" || m.Name == "deepae"
		if alike == (popular || m.Learned()) || slices.Equal(one, other) == (m.Learned() && !popular) {
			t.Errorf("%s: %v and %v", m.Name, one, other)
		}
	}
}
