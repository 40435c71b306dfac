package eval

import (
	"fmt"

	"github.com/pmlam/pmlam/core/internal/topk"
)

// TopK returns the k items of the highest score, best first, without those in exclude; fewer where fewer are left,
// none for k ≤ 0. Equal scores go to the lower index first, so the answer is unique. Items scored NaN are never
// returned (Evaluate refuses them before it gets here). exclude must be strictly ascending and within the scores, as a
// row of a dataset.Matrix is; otherwise TopK panics with ExcludeError. O(I + c log k), where c ≤ I is how often an item
// enters the best k so far: about k·log(I/k) for scores in random order.
func TopK(scores []float32, exclude []int32, k int) []int32 {
	h := NewHeap(min(k, len(scores)))
	scan(h, scores, exclude)
	return h.Items()
}

// ExcludeError is the value TopK panics with where the list of excluded items is out of order or out of range.
type ExcludeError struct {
	At, Item, Items int // place in the list, value there, length of the scores
}

func (e ExcludeError) Error() string {
	return fmt.Sprintf("eval: excluded item %d at place %d is out of order or outside 0…%d", e.Item, e.At, e.Items-1)
}

// Heap keeps the best k of the items offered to it, see NewHeap. The result does not depend on the order of the offers:
// higher scores are better, and among equal scores lower indices.
type Heap = topk.Heap[float32]

// Scored is an item and its score.
type Scored = topk.Entry[float32]

// NewHeap returns an empty heap that keeps k items; with k ≤ 0 it keeps none. It takes 8k bytes.
func NewHeap(k int) *Heap { return topk.New[float32](k) }

// scan offers all items but those excluded to an empty heap.
func scan(h *Heap, scores []float32, exclude []int32) {
	from := 0
	for at, x := range exclude {
		if int(x) < from || int(x) >= len(scores) {
			panic(ExcludeError{At: at, Item: int(x), Items: len(scores)})
		}
		h.OfferRange(scores, from, int(x))
		from = int(x) + 1
	}
	h.OfferRange(scores, from, len(scores))
}
