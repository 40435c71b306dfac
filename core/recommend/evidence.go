package recommend

import (
	"fmt"
	"slices"
)

// Evidence holds a visitor's likes and dislikes, by item index. Seen titles are not evidence of taste and are not
// included; they are only kept out of the recommendations.
//
// Order and repetition do not matter. An item in both lists counts as liked. The zero value is a neutral visitor.
//
// A like counts Weights of its item, or 1 if that is missing or not positive; Weights is by item. In composed users, a
// weight of 2 pulls the visitor's mean like two likes of the same item; the fold-in of users with a free part ignores
// weights. The uncertainty follows the effective number of likes, (Σw)²/Σw².
type Evidence struct {
	Likes, Dislikes []int
	Weights         []float32
}

// weight returns the number of likes that a like of item i counts as. It is not inlined, to keep programs small.
//
//go:noinline
func (e *Evidence) weight(i int) float64 {
	if i < len(e.Weights) && e.Weights[i] > 0 {
		return float64(e.Weights[i])
	}
	return 1
}

// total returns the sum of the likes' weights, which is their number without Weights. O(n).
//
//go:noinline
func (e *Evidence) total() float64 {
	sum := 0.0
	for _, i := range e.Likes {
		sum += e.weight(i)
	}
	return sum
}

// IndexError is the value that Infer panics with if an item is not in the table.
type IndexError struct{ Item, Items int }

func (e IndexError) Error() string {
	return fmt.Sprintf("recommend: item %d is not one of the %d items", e.Item, e.Items)
}

// canonical returns e with both lists sorted, without duplicates, and disjoint. It panics with IndexError.
func (e Evidence) canonical(items int) Evidence {
	set := func(in []int) []int {
		out := slices.Compact(sorted(in))
		if len(out) > 0 && (out[0] < 0 || out[len(out)-1] >= items) {
			bad := out[0]
			if bad >= 0 {
				bad = out[len(out)-1]
			}
			panic(IndexError{bad, items})
		}
		return out
	}
	c := Evidence{set(e.Likes), set(e.Dislikes), e.Weights}
	c.Dislikes = slices.DeleteFunc(c.Dislikes, func(d int) bool {
		_, liked := slices.BinarySearch(c.Likes, d)
		return liked
	})
	return c
}

func (e Evidence) equal(o Evidence) bool {
	for _, i := range e.Likes {
		if e.weight(i) != o.weight(i) {
			return false
		}
	}
	return slices.Equal(e.Likes, o.Likes) && slices.Equal(e.Dislikes, o.Dislikes)
}
