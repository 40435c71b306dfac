package baseline

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/pmlam/pmlam/core/internal/parallel"
)

// each is parallel.Each whose error tells how far the work came. Work that was finished when ctx ended is no error.
func each(ctx context.Context, n, workers int, start func() func(i int)) error {
	var done atomic.Int64
	parallel.Each(ctx, n, workers, func() func(i int) {
		do := start()
		return func(i int) {
			do(i)
			done.Add(1)
		}
	})
	if int(done.Load()) < n {
		return fmt.Errorf("stopped after %d of %d parts: %w", done.Load(), n, context.Cause(ctx))
	}
	return nil
}
