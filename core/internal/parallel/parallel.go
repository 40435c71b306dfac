// Package parallel does work in parts whose number does not depend on that of the workers, so that what is reduced part
// by part has one order of additions, and the same bits, for any number of them.
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
