package baseline

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/pmlam/pmlam/core/internal/parallel"
)

// each is parallel.Each with an error that states the progress. If ctx ends after all work is done, it returns nil.
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
