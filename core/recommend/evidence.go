package recommend

import (
	"fmt"
	"slices"
)

// Evidence holds a visitor's likes and dislikes, by item index. Seen titles are not evidence of taste and are not
// included; they are only kept out of the recommendations.
//
// Order and repetition do not matter. An item in both lists counts as liked. The zero value is a neutral visitor.
type Evidence struct {
	Likes, Dislikes []int
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
	c := Evidence{set(e.Likes), set(e.Dislikes)}
	c.Dislikes = slices.DeleteFunc(c.Dislikes, func(d int) bool {
		_, liked := slices.BinarySearch(c.Likes, d)
		return liked
	})
	return c
}

func (e Evidence) equal(o Evidence) bool {
	return slices.Equal(e.Likes, o.Likes) && slices.Equal(e.Dislikes, o.Dislikes)
}
