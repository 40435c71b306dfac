package reproduce

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"time"
)

// watchHeap samples the memory in use, live or not yet collected, every few milliseconds. end stops it and returns the
// maximum above the start, in bytes; 0 if watch is false. It sees tables that a method keeps, but may miss short-lived
// buffers.
func watchHeap(watch bool) (end func() uint64) {
	if !watch {
		return func() uint64 { return 0 }
	}
	runtime.GC()
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	look := func() uint64 {
		metrics.Read(sample)
		return sample[0].Value.Uint64()
	}
	before := look()
	most, stop := before, make(chan struct{})
	var done sync.WaitGroup
	done.Go(func() {
		tick := time.NewTicker(5 * time.Millisecond)
		defer tick.Stop()
		for {
			select {
			case <-stop:
				return
			case <-tick.C:
				most = max(most, look())
			}
		}
	})
	return func() uint64 {
		close(stop)
		done.Wait()
		return max(most, look()) - before
	}
}
