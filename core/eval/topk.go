package eval

import "fmt"

// TopK returns the k items of the highest score, best first, without those in exclude; fewer where fewer are left,
// none for k ≤ 0. Equal scores go to the lower index first, so the answer is unique. Items scored NaN are never
// returned (Evaluate refuses them before it gets here). exclude must be strictly ascending and within the scores, as a
// row of a dataset.Matrix is; otherwise TopK panics with ExcludeError. O(I + c log k), where c ≤ I is how often an item
// enters the best k so far: about k·log(I/k) for scores in random order.
func TopK(scores []float32, exclude []int32, k int) []int32 {
	h := NewHeap(min(k, len(scores)))
	h.scan(scores, exclude)
	return h.Items()
}

// ExcludeError is the value TopK panics with where the list of excluded items is out of order or out of range.
type ExcludeError struct {
	At, Item, Items int // place in the list, value there, length of the scores
}

func (e ExcludeError) Error() string {
	return fmt.Sprintf("eval: excluded item %d at place %d is out of order or outside 0…%d", e.Item, e.At, e.Items-1)
}

// Heap keeps the best k of the items offered to it. What it keeps does not depend on the order of the offers: higher
// scores are better, and among equal scores lower indices. Make it with NewHeap; Reset makes it empty again without
// giving its memory back.
type Heap struct {
	k       int
	entries []Scored // a binary heap with the worst at the root
}

// Scored is an item and its score.
type Scored struct {
	Score float32
	Item  int32
}

// before reports whether a ranks before b.
func (a Scored) before(b Scored) bool {
	return a.Score > b.Score || a.Score == b.Score && a.Item < b.Item
}

// NewHeap returns an empty heap that keeps k items; with k ≤ 0 it keeps none. It takes 8k bytes.
func NewHeap(k int) *Heap { return &Heap{k: max(k, 0), entries: make([]Scored, 0, max(k, 0))} }

// Reset empties the heap.
func (h *Heap) Reset() { h.entries = h.entries[:0] }

// Offer considers one item. An item must not be offered twice between resets. NaN is ignored. O(log k).
func (h *Heap) Offer(item int32, score float32) {
	e := Scored{score, item}
	switch {
	case score != score || h.k == 0:
	case len(h.entries) < h.k:
		h.entries = append(h.entries, e)
		h.up(len(h.entries) - 1)
	case e.before(h.entries[0]):
		h.entries[0] = e
		h.down(0, len(h.entries))
	}
}

// scan offers all items but those excluded. Indices come in ascending order, so once the heap is full an item enters
// only if its score is strictly higher than the worst: one comparison for nearly every item.
func (h *Heap) scan(scores []float32, exclude []int32) {
	from := 0
	for at, x := range exclude {
		if int(x) < from || int(x) >= len(scores) {
			panic(ExcludeError{At: at, Item: int(x), Items: len(scores)})
		}
		h.scanRange(scores, from, int(x))
		from = int(x) + 1
	}
	h.scanRange(scores, from, len(scores))
}

func (h *Heap) scanRange(scores []float32, from, to int) {
	i := from
	for ; i < to && len(h.entries) < h.k; i++ {
		h.Offer(int32(i), scores[i])
	}
	if i >= to || h.k == 0 {
		return
	}
	worst := h.entries[0].Score
	for ; i < to; i++ {
		if scores[i] > worst {
			h.entries[0] = Scored{scores[i], int32(i)}
			h.down(0, len(h.entries))
			worst = h.entries[0].Score
		}
	}
}

// Sorted returns what the heap keeps, best first. The slice is the heap's own memory, valid until the next Reset,
// which must come before the next Offer. O(k log k).
func (h *Heap) Sorted() []Scored {
	for n := len(h.entries) - 1; n > 0; n-- {
		h.entries[0], h.entries[n] = h.entries[n], h.entries[0]
		h.down(0, n)
	}
	return h.entries
}

// Items returns the items the heap keeps, best first, in a slice of their own. Reset must come before the next Offer.
// O(k log k).
func (h *Heap) Items() []int32 {
	return h.appendItems(make([]int32, 0, len(h.entries)))
}

// appendItems appends what Items returns.
func (h *Heap) appendItems(items []int32) []int32 {
	for _, e := range h.Sorted() {
		items = append(items, e.Item)
	}
	return items
}

// worst returns the score of the last entry, and whether the heap is full: then only what ranks before it enters.
func (h *Heap) worst() (score float32, full bool) {
	if len(h.entries) < h.k || h.k == 0 {
		return 0, false
	}
	return h.entries[0].Score, true
}

func (h *Heap) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !h.entries[parent].before(h.entries[i]) {
			return
		}
		h.entries[i], h.entries[parent] = h.entries[parent], h.entries[i]
		i = parent
	}
}

// down restores the heap of the first n entries below i.
func (h *Heap) down(i, n int) {
	for {
		worst := i
		for c := 2*i + 1; c <= 2*i+2 && c < n; c++ {
			if h.entries[worst].before(h.entries[c]) {
				worst = c
			}
		}
		if worst == i {
			return
		}
		h.entries[i], h.entries[worst] = h.entries[worst], h.entries[i]
		i = worst
	}
}
