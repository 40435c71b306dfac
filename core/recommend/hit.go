package recommend

import (
	"slices"

	"github.com/pmlam/pmlam/core/internal/topk"
)

// Hit is a ranked item. Functions that return hits say what Score measures. Lower scores rank first, ties by the lower
// item.
type Hit struct {
	Item  int
	Score float64
}

// lowest keeps the hits with the lowest scores. topk.Heap keeps the highest, so it holds negated scores.
type lowest struct{ topk.Heap[float64] }

// offer considers a hit. NaN scores are never kept. O(log k).
func (l *lowest) offer(h Hit) { l.Offer(int32(h.Item), -h.Score) }

// worst returns the score of the last hit, and whether the heap is full.
func (l *lowest) worst() (score float64, full bool) {
	negated, full := l.Worst()
	return -negated, full
}

// appendTo appends the hits to a list, best first. Call Resize before the next offer. O(k log k).
func (l *lowest) appendTo(dst []Hit) []Hit {
	dst = slices.Grow(dst, l.Len())
	for _, e := range l.Sorted() {
		dst = append(dst, Hit{int(e.Item), -e.Score})
	}
	return dst
}
