package itemlinks

import (
	"slices"
	"testing"
)

// Links for some targets equal those for all; other items have none.
func TestLinksOfSomeTargets(t *testing.T) {
	train := small(t).Train
	targets := []int{0, 3, 17, 500, train.Cols - 1}
	for _, r := range []Recipe{{Kind: ByCosine, Top: 10}, {Kind: ByRidge, Top: 10, Lambda: 20}} {
		all, err := r.Build(background, train, 0)
		if err != nil {
			t.Fatal(err)
		}
		some, err := r.BuildFor(background, train, targets, 3)
		if err != nil {
			t.Fatal(err)
		}
		if err := some.Check(train.Cols); err != nil {
			t.Fatal(err)
		}
		for i := range train.Cols {
			want, weights := all.Row(i)
			if !slices.Contains(targets, i) {
				want, weights = nil, nil
			}
			if got, of := some.Row(i); !slices.Equal(got, want) || !slices.Equal(of, weights) {
				t.Errorf("%s: target %d has the sources %v with %v, want %v with %v", r.Kind, i, got, of, want, weights)
			}
		}
	}
}
