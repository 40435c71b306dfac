package parallel

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/pmlam/pmlam/core/yield"
)

// Each calls do(i) for every i in [0,n) from several goroutines; workers ≤ 0 means one per CPU. start is called once
// per goroutine and returns its do, so that each can have its own scratch memory. The assignment of numbers to
// goroutines is not defined, so a call must write only to its own place. Once ctx ends, no further call begins, and
// Each returns ctx's error.
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
				yield.Now()
			}
		})
	}
	wait.Wait()
	return ctx.Err()
}

// Workers returns workers, or the number of CPUs if that is 0 or less.
func Workers(workers int) int {
	if workers <= 0 {
		return runtime.GOMAXPROCS(0)
	}
	return workers
}
