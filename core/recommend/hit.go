package recommend

import (
	"slices"

	"github.com/pmlam/pmlam/core/internal/topk"
)

// Hit is a ranked item. What Score measures is said where hits are made; lower ranks first, and of equal scores the
// lower item.
type Hit struct {
	Item  int
	Score float64
}

// lowest keeps the hits of the lowest scores: topk.Heap keeps the highest, so it holds the negated ones.
type lowest struct{ topk.Heap[float64] }

// offer considers a hit. A score that is not a number is never kept. O(log k).
func (l *lowest) offer(h Hit) { l.Offer(int32(h.Item), -h.Score) }

// worst returns the score of the last hit, and whether the heap is full.
func (l *lowest) worst() (score float64, full bool) {
	negated, full := l.Worst()
	return -negated, full
}

// appendTo appends the hits to a list, best first. Resize must come before the next offer. O(k log k).
func (l *lowest) appendTo(dst []Hit) []Hit {
	dst = slices.Grow(dst, l.Len())
	for _, e := range l.Sorted() {
		dst = append(dst, Hit{int(e.Item), -e.Score})
	}
	return dst
}
