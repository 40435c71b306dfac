package pmlam

import (
	"math"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
)

// A user without training items, such as one who comes after the moment of a split by time, is composed of what all
// others like, not of nothing: nothing lies nearest to the items that were never learned.
func TestUserWithoutItems(t *testing.T) {
	var pairs []dataset.Pair
	for u := range 12 {
		for k := range 4 {
			pairs = append(pairs, dataset.Pair{Row: int32(u), Col: int32((u + 2*k) % 9)})
		}
	}
	c, err := Preset("best")
	if err != nil {
		t.Fatal(err)
	}
	c.Dim, c.Epochs, c.Auto, c.Relations, c.Negatives, c.SharedNegatives = 4, 2, false, NoRelations, 4, 1
	m := dataset.NewMatrix(13, 10, pairs) // user 12 likes nothing, and nobody likes item 9
	tr, err := New(t.Context(), m, c, 1)
	if err != nil {
		t.Fatal(err)
	}
	r, err := tr.Run(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	mean := make([]float32, 8)
	for d := range mean {
		sum := 0.0
		for _, p := range pairs {
			sum += float64(r.Items.Row(int(p.Col))[d])
		}
		mean[d] = float32(sum / float64(len(pairs)))
	}
	want := make([]float32, 8)
	gaussian.Compose(want, nil, mean, float32(c.UserWeight), float32(c.Radius))
	for d, v := range r.Users.Row(12) {
		if math.Abs(float64(v-want[d])) > 1e-6 {
			t.Fatalf("the row is %v, want %v", r.Users.Row(12), want)
		}
	}
}
