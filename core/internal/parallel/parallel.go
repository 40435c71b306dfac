// Package parallel does work on several goroutines with results that do not depend on how many there are. Do cuts the
// work into a fixed number of chunks, so sums that are reduced chunk by chunk have one order of additions, and the same
// bits, for any number of workers. AdviseHuge and Zeros put the large arrays of such work into huge pages.
//
//	parallel.Do(workers, rows, func(worker, chunk, from, to int) { … })
package parallel

import (
	"sync"
	"sync/atomic"
)

// Chunks is how many parts parallel work is cut into, whatever the number of workers: what is reduced per chunk has
// the same order of additions for any of them.
const Chunks = 64

// Do calls f for every chunk of [0,n), from several workers. Chunks are numbered 0 to Chunks−1; worker tells
// which of the workers runs it, for working memory. f must not depend on worker otherwise.
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
