package eval

import (
	"fmt"

	"github.com/pmlam/pmlam/core/internal/topk"
)

// TopK returns the k items of the highest score outside exclude, best first; fewer if there are fewer, none for k ≤ 0.
// Ties go to the lower index, so the result is unique. Items scored NaN are never returned (Evaluate refuses them
// earlier). exclude must be strictly ascending and within the scores, like a row of a dataset.Matrix; otherwise TopK
// panics with ExcludeError. O(I + c log k), where c ≤ I is the number of times that an item enters the best k so far:
// about k·log(I/k) for scores in random order.
func TopK(scores []float32, exclude []int32, k int) []int32 {
	h := NewHeap(min(k, len(scores)))
	scan(h, scores, exclude)
	return h.Items()
}

// ExcludeError is the panic value of TopK for excluded items that are out of order or out of range.
type ExcludeError struct {
	At, Item, Items int // position in the list, value there, length of the scores
}

func (e ExcludeError) Error() string {
	return fmt.Sprintf("eval: excluded item %d at position %d is out of order or outside 0…%d", e.Item, e.At, e.Items-1)
}

// Heap keeps the best k of the items offered to it, see NewHeap. The result does not depend on the order of the offers:
// higher scores are better, and ties go to lower indices.
type Heap = topk.Heap[float32]

// Scored is an item and its score.
type Scored = topk.Entry[float32]

// NewHeap returns an empty heap that keeps k items; with k ≤ 0 it keeps none. It takes 8k bytes.
func NewHeap(k int) *Heap { return topk.New[float32](k) }

// scan offers all items except the excluded ones to an empty heap.
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
