// Package topk keeps the best k of a stream of items.
package topk

// Entry is an item and its score.
type Entry[S float32 | float64] struct {
	Score S
	Item  int32
}

// Before reports whether a ranks before b: by the higher score, ties by the lower item.
func (a Entry[S]) Before(b Entry[S]) bool {
	return a.Score > b.Score || a.Score == b.Score && a.Item < b.Item
}

// Heap keeps the best k of the entries offered. The result does not depend on the order of the offers: see
// Entry.Before. The zero value keeps none; make one with New, or give it a size with Resize.
type Heap[S float32 | float64] struct {
	k       int
	entries []Entry[S] // a binary heap with the worst at the root
}

// New returns an empty heap that keeps k entries; with k ≤ 0 it keeps none.
func New[S float32 | float64](k int) *Heap[S] {
	return &Heap[S]{k: max(k, 0), entries: make([]Entry[S], 0, max(k, 0))}
}

// Reset empties the heap and keeps its memory.
func (h *Heap[S]) Reset() { h.entries = h.entries[:0] }

// Resize empties the heap and makes it keep k entries; with k ≤ 0 none. It keeps the memory.
func (h *Heap[S]) Resize(k int) { h.k, h.entries = max(k, 0), h.entries[:0] }

// K returns the greatest number of entries that the heap keeps.
func (h *Heap[S]) K() int { return h.k }

// Len returns the present number of entries.
func (h *Heap[S]) Len() int { return len(h.entries) }

// Offer considers one item. Do not offer an item twice between resets. NaN is ignored. O(log k).
func (h *Heap[S]) Offer(item int32, score S) {
	e := Entry[S]{score, item}
	switch {
	case score != score || h.k == 0:
	case len(h.entries) < h.k:
		h.entries = append(h.entries, e)
		h.up(len(h.entries) - 1)
	case e.Before(h.entries[0]):
		h.entries[0] = e
		h.down(0, len(h.entries))
	}
}

// OfferRange offers the items from to to−1 with the score of each. All items offered before must be lower: then an item
// enters a full heap only by a score strictly above the worst, which takes one comparison for nearly every item.
func (h *Heap[S]) OfferRange(scores []S, from, to int) {
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
			h.entries[0] = Entry[S]{scores[i], int32(i)}
			h.down(0, len(h.entries))
			worst = h.entries[0].Score
		}
	}
}

// Worst returns the score of the last entry, and whether the heap is full: then only an entry that ranks before it
// enters. A heap that keeps none is never full.
func (h *Heap[S]) Worst() (score S, full bool) {
	if len(h.entries) < h.k || h.k == 0 {
		return 0, false
	}
	return h.entries[0].Score, true
}

// Sorted returns the entries, best first. The slice is the heap's own memory, valid until the next Reset. Call Reset
// before the next Offer. O(k log k).
func (h *Heap[S]) Sorted() []Entry[S] {
	for n := len(h.entries) - 1; n > 0; n-- {
		h.entries[0], h.entries[n] = h.entries[n], h.entries[0]
		h.down(0, n)
	}
	return h.entries
}

// AppendItems appends the items to a list, best first. Call Reset before the next Offer. O(k log k).
func (h *Heap[S]) AppendItems(items []int32) []int32 {
	for _, e := range h.Sorted() {
		items = append(items, e.Item)
	}
	return items
}

// Items returns the items, best first, in a new slice. Call Reset before the next Offer. O(k log k).
func (h *Heap[S]) Items() []int32 { return h.AppendItems(make([]int32, 0, len(h.entries))) }

func (h *Heap[S]) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if !h.entries[parent].Before(h.entries[i]) {
			return
		}
		h.entries[i], h.entries[parent] = h.entries[parent], h.entries[i]
		i = parent
	}
}

// down restores the heap of the first n entries below i.
func (h *Heap[S]) down(i, n int) {
	for {
		worst := i
		for c := 2*i + 1; c <= 2*i+2 && c < n; c++ {
			if h.entries[worst].Before(h.entries[c]) {
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
