package recommend

// Hit is a ranked item. What Score measures is said where hits are made; lower ranks first, and of equal scores the
// lower item.
type Hit struct {
	Item  int
	Score float64
}

// before reports whether a ranks before b.
func (a Hit) before(b Hit) bool {
	return a.Score < b.Score || a.Score == b.Score && a.Item < b.Item
}

// topK keeps the k best of the hits that it is offered: a heap with the worst of them on top. The zero value keeps
// nothing; Reset makes it ready.
type topK struct {
	k    int
	heap []Hit
}

// Reset empties t and makes it keep k hits. Its memory is used again.
func (t *topK) Reset(k int) {
	t.k = max(k, 0)
	t.heap = t.heap[:0]
}

// Offer considers a hit. A score that is no number is never kept. O(log k).
func (t *topK) Offer(h Hit) {
	if len(t.heap) < t.k {
		if h.Score != h.Score {
			return
		}
		t.heap = append(t.heap, h)
		for i := len(t.heap) - 1; i > 0; {
			up := (i - 1) / 2
			if !t.heap[up].before(t.heap[i]) {
				break
			}
			t.heap[up], t.heap[i] = t.heap[i], t.heap[up]
			i = up
		}
		return
	}
	if t.k > 0 && h.before(t.heap[0]) {
		t.heap[0] = h
		t.sink(len(t.heap))
	}
}

// sink restores the heap of the first n hits after its top was replaced.
func (t *topK) sink(n int) {
	for i := 0; ; {
		worst := 2*i + 1
		if worst >= n {
			return
		}
		if right := worst + 1; right < n && t.heap[worst].before(t.heap[right]) {
			worst = right
		}
		if !t.heap[i].before(t.heap[worst]) {
			return
		}
		t.heap[i], t.heap[worst] = t.heap[worst], t.heap[i]
		i = worst
	}
}

// Full reports whether k hits are kept already.
func (t *topK) Full() bool { return len(t.heap) == t.k }

// Worst returns the last of the hits that are kept. It panics where there is none.
func (t *topK) Worst() Hit { return t.heap[0] }

// Sorted sorts what is kept, best first, and returns it. The slice belongs to t; Reset must come before the next
// Offer. O(k log k).
func (t *topK) Sorted() []Hit {
	for n := len(t.heap) - 1; n > 0; n-- {
		t.heap[0], t.heap[n] = t.heap[n], t.heap[0]
		t.sink(n)
	}
	return t.heap
}
