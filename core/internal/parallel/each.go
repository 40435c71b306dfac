package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls do(i) for every i of [0,n) from several goroutines; workers ≤ 0: as many as there are processors. start is
// called once a goroutine and returns its do, so that each has working memory of its own. Which goroutine takes which
// number is open: a call must write to its own place only. Where ctx ends, no further call begins, and the error is
// ctx's.
func Each(ctx context.Context, n, workers int, start func() (do func(i int))) error {
	workers = Workers(workers)
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(workers, n) {
		wait.Go(func() {
			do := start()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
			}
		})
	}
	wait.Wait()
	return ctx.Err()
}

// Workers returns the number of goroutines that a number of workers stands for: itself, or as many as there are
// processors for 0 and less.
func Workers(workers int) int {
	if workers <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return workers
}
