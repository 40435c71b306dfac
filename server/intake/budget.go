package intake

import (
	"sync"
	"time"
)

// budget bounds the bytes held by requests. It is safe for concurrent use.
type budget struct {
	max int64

	mu    sync.Mutex
	bytes int64 // total of held
	held  map[*hold]bool
}

// hold is a request's part of a budget.
type hold struct {
	of     *budget
	giveUp func() // makes the request end soon; called at most once, with of.mu held

	bytes int64
	began time.Time
}

func newBudget(max int64) *budget { return &budget{max: max, held: map[*hold]bool{}} }

// hold returns a hold of no bytes, which must be released.
func (b *budget) hold(giveUp func()) *hold {
	h := &hold{of: b, giveUp: giveUp, began: time.Now()}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.held[h] = true
	return h
}

// grow adds n bytes to h. If the budget is exhausted, it gives up other holds, costliest first, and returns false if h
// is one of them. O(holds) for each.
func (h *hold) grow(n int64) bool {
	b := h.of
	b.mu.Lock()
	defer b.mu.Unlock()
	for b.held[h] && b.bytes+n > b.max {
		costliest := b.costliest()
		if costliest == nil {
			costliest = h // n alone exceeds the budget
		}
		b.remove(costliest)
		costliest.giveUp()
	}
	if !b.held[h] {
		return false
	}
	h.bytes += n
	b.bytes += n
	return true
}

// release returns the bytes. Releasing again has no effect.
func (h *hold) release() {
	h.of.mu.Lock()
	defer h.of.mu.Unlock()
	h.of.remove(h)
}

func (b *budget) remove(h *hold) {
	if b.held[h] {
		delete(b.held, h)
		b.bytes -= h.bytes
	}
}

// costliest returns the hold with the largest product of bytes and time, or nil if none has bytes.
func (b *budget) costliest() (most *hold) {
	now, highest := time.Now(), -1.0
	for h := range b.held {
		if cost := float64(h.bytes) * float64(now.Sub(h.began)+1); h.bytes > 0 && cost > highest {
			most, highest = h, cost
		}
	}
	return most
}

// used returns the held bytes.
func (b *budget) used() int64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.bytes
}
