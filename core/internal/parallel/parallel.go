// Package parallel runs work on several goroutines with results that do not depend on their number. Do cuts the work
// into a fixed number of chunks, so sums reduced chunk by chunk have one order of additions, and the same bits, for any
// number of workers. AdviseHuge and Zeros put the large arrays of such work into huge pages.
//
//	parallel.Do(workers, rows, func(worker, chunk, from, to int) { … })
package parallel

import (
	"sync"
	"sync/atomic"

	"github.com/pmlam/pmlam/core/yield"
)

// Chunks is the number of chunks that Do cuts work into. It does not depend on the number of workers, so reductions per
// chunk always have the same order of additions.
const Chunks = 64

// Do calls f for every chunk of [0,n), from several workers. Chunks are numbered 0 to Chunks−1. worker is the number of
// the worker that runs f, which may only use it to select scratch memory.
func Do(workers, n int, f func(worker, chunk, from, to int)) {
	if n == 0 {
		return
	}
	var next atomic.Int64
	run := func(worker int) {
		for {
			c := int(next.Add(1)) - 1
			if c >= Chunks {
				return
			}
			if from, to := c*n/Chunks, (c+1)*n/Chunks; from < to {
				f(worker, c, from, to)
				yield.Now()
			}
		}
	}
	if workers == 1 {
		run(0)
		return
	}
	var wait sync.WaitGroup
	for w := range workers {
		wait.Go(func() { run(w) })
	}
	wait.Wait()
}
