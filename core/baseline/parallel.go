package baseline

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/pmlam/pmlam/core/internal/parallel"
)

// each is parallel.Each, but its error states the progress. It returns nil if all work was done when ctx ended.
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
