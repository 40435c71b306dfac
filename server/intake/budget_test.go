package intake

import (
	"math/rand/v2"
	"sync"
	"testing"
	"time"
)

// The costliest hold is given up first, and the one that asks for room last.
func TestTheCostliestIsGivenUp(t *testing.T) {
	b := newBudget(100)
	var gone []string
	now := time.Now()
	add := func(name string, bytes int64, age time.Duration) *hold {
		h := b.hold(func() { gone = append(gone, name) })
		h.began = now.Add(-age)
		if !h.grow(bytes) {
			t.Errorf("%s was given up", name)
		}
		return h
	}
	add("large and slow", 60, time.Hour)
	slow := add("small and slow", 1, time.Hour)
	add("large and new", 39, time.Minute)
	idle := b.hold(func() { gone = append(gone, "idle") })
	idle.began = now.Add(-24 * time.Hour)
	if add("new", 50, 0); len(gone) != 1 || gone[0] != "large and slow" || b.bytes != 90 {
		t.Errorf("%v were given up, %d bytes are held", gone, b.bytes)
	}
	if add("another", 99, 0); len(gone) != 4 || gone[1] != "small and slow" || gone[2] != "large and new" || b.bytes != 99 {
		t.Errorf("%v were given up, %d bytes are held", gone, b.bytes)
	}
	if slow.grow(1) {
		t.Error("a hold that was given up grew")
	}
	slow.release()
	if !idle.grow(1) || b.bytes != 100 {
		t.Errorf("%d bytes held", b.bytes)
	}
	if idle.grow(101) || b.bytes != 99 {
		t.Errorf("asking for too much: %d bytes held, %v given up", b.bytes, gone)
	}
}

// Under concurrent use the bound holds, and nothing is left at the end.
func TestBudgetHolds(t *testing.T) {
	b := newBudget(1000)
	var all sync.WaitGroup
	for seed := range uint64(8) {
		all.Go(func() {
			x := rand.New(rand.NewPCG(seed, 1))
			for range 2000 {
				h := b.hold(func() {})
				for range x.IntN(4) {
					h.grow(x.Int64N(400))
					b.mu.Lock()
					if b.bytes < 0 || b.bytes > b.max {
						t.Errorf("%d of %d bytes are held", b.bytes, b.max)
					}
					b.mu.Unlock()
				}
				h.release()
				h.release()
			}
		})
	}
	all.Wait()
	if b.bytes != 0 || len(b.held) != 0 {
		t.Errorf("left: %d bytes in %d holds", b.bytes, len(b.held))
	}
}
