package intake

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/semaphore"
)

// large bounds the bytes of large bodies. A body gets its whole memory before it is read, in order of arrival. A
// waiting one holds only its connection.
type large struct {
	free     *semaphore.Weighted
	waiting  atomic.Int64
	wait     time.Duration // maximum wait of a body for its memory
	patience time.Duration // maximum time to arrive while others wait
}

// take waits for n bytes. If they are held longer than patience while others wait, giveUp is called, until settle
// reports that the body has arrived. free returns the bytes. ok is false if there were none in time.
func (l *large) take(ctx context.Context, n int64, giveUp func()) (settle, free func(), ok bool) {
	if !l.free.TryAcquire(n) {
		ctx, cancel := context.WithTimeout(ctx, l.wait)
		defer cancel()
		l.waiting.Add(1)
		defer l.waiting.Add(-1)
		if l.free.Acquire(ctx, n) != nil {
			return nil, nil, false
		}
	}
	var mu sync.Mutex
	settled := make(chan struct{})
	isSettled := false
	go func() {
		ticks := time.NewTicker(l.patience)
		defer ticks.Stop()
		for {
			select {
			case <-settled:
				return
			case <-ticks.C:
			}
			mu.Lock()
			if !isSettled && l.waiting.Load() > 0 {
				giveUp()
			}
			mu.Unlock()
		}
	}()
	settle = sync.OnceFunc(func() {
		mu.Lock()
		defer mu.Unlock()
		isSettled = true
		close(settled)
	})
	return settle, func() { l.free.Release(n) }, true
}
