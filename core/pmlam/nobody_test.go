package pmlam

import (
	"math"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/recommend"
)

// A user without training items, for example one who arrives after the cut of a split by time, has the row of a visitor
// without likes, whether users are composed or have their own rows; otherwise that user would be nearest to untrained
// items. All other users keep their rows.
func TestUserWithoutItems(t *testing.T) {
	var pairs []dataset.Pair
	counts := make([]int, 10)
	for u := range 12 {
		for k := range 4 {
			i := int32((u + 2*k) % 9)
			pairs = append(pairs, dataset.Pair{Row: int32(u), Col: i})
			counts[i]++
		}
	}
	m := dataset.NewMatrix(13, 10, pairs) // user 12 likes nothing, and nobody likes item 9
	for _, c := range []struct {
		name, preset string
		free         bool
	}{{"composed", "best", false}, {"composed, with a free part", "best", true}, {"a table", "paper", true},
		{"a table, s of any sign", "adaptive", true}} {
		t.Run(c.name, func(t *testing.T) {
			cfg, err := Preset(c.preset)
			if err != nil {
				t.Fatal(err)
			}
			cfg.Dim, cfg.Epochs, cfg.Relations, cfg.Validation, cfg.FreeUsers = 4, 2, NoRelations, 0,
				c.free
			if cfg.UserWeight > 0 {
				cfg.Negatives, cfg.SharedNegatives = 4, 1
			}
			tr, err := New(t.Context(), m, cfg, 1)
			if err != nil {
				t.Fatal(err)
			}
			r, err := tr.Run(t.Context(), nil)
			if err != nil {
				t.Fatal(err)
			}
			for d, want := range visitor(t, r.Items, counts, cfg) {
				if got := r.Users.Row(12)[d]; math.Abs(float64(got-want)) > 1e-6 {
					t.Fatalf("the row is %v, of dimension %d, want a visitor's %v", r.Users.Row(12), d, want)
				}
			}
			if cfg.UserWeight > 0 {
				return
			}
			for u := range 12 {
				for d, want := range tr.theta.Row(u) {
					if r.Users.Row(u)[d] != want {
						t.Fatalf("the row of user %d is not the learned one", u)
					}
				}
			}
		})
	}
}

// visitor returns the row of a visitor without likes.
func visitor(t *testing.T, items *gaussian.Table, counts []int, c Config) []float32 {
	f, err := recommend.NewInferrer(recommend.InferenceSettings{Items: items, Counts: counts, Loss: c.loss(),
		Composition: c.composition(), Radius: float32(c.Radius)})
	if err != nil {
		t.Fatal(err)
	}
	return f.Prior()
}
