package baseline

import (
	"context"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"
)

// parallel calls the function that start returns for each of 0…n−1, on several goroutines (0 or less: GOMAXPROCS).
// start is called once a goroutine and makes its scratch memory. Which goroutine does what is open: each call must
// write only to its own place. An ended context stops it between two calls, with an error.
func parallel(ctx context.Context, n, workers int, start func() func(i int)) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	var next, done atomic.Int64
	var wg sync.WaitGroup
	for range min(workers, n) {
		wg.Go(func() {
			do := start()
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				do(i)
				done.Add(1)
			}
		})
	}
	wg.Wait()
	if int(done.Load()) < n {
		return fmt.Errorf("stopped after %d of %d parts: %w", done.Load(), n, context.Cause(ctx))
	}
	return nil
}
