package recommend

import (
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/gaussian"
)

// Questions are about well-known titles outside of the visit, do not depend on its order, and end when there is nothing
// left to ask.
func TestQuestion(t *testing.T) {
	r, err := Open(
		fixture(120, gaussian.Composition{Weight: 1}, gaussian.Loss{Kind: gaussian.Softmax, Temperature: 1}),
		Options{},
	)
	if err != nil {
		t.Fatal(err)
	}
	v := Visit{Likes: []int{3, 8}, Dislikes: []int{5}}
	a, b, ok := r.Question(v, r.Taste(v, nil))
	if !ok || a == b {
		t.Fatalf("%d, %d, %t", a, b, ok)
	}
	known := r.byCount()
	for _, i := range []int{a, b} {
		if slices.Contains([]int{3, 8, 5}, i) || slices.Index(known, i) >= askable+3 {
			t.Errorf("a question about %d, which is number %d of the best known", i, slices.Index(known, i))
		}
	}
	other := Visit{Likes: []int{8, 3}, Dislikes: []int{5}}
	if c, d, _ := r.Question(other, r.Taste(other, nil)); c != a || d != b {
		t.Errorf("in another order: %d and %d, not %d and %d", c, d, a, b)
	}
	asked := map[int]bool{}
	for range r.Len() {
		a, b, ok := r.Question(v, r.Taste(v, nil))
		if !ok {
			break
		}
		if asked[a] || asked[b] {
			t.Fatalf("%d or %d was asked about before", a, b)
		}
		asked[a], asked[b] = true, true
		v.Seen = append(v.Seen, a, b)
	}
	if left := r.Len() - len(asked) - 3; left > 1 {
		t.Errorf("%d titles were never asked about", left)
	}
}
