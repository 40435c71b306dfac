//go:build unix

package batch

import (
	"context"
	"fmt"
	"syscall"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
)

// StalledError reports a job that stood still.
type StalledError struct{ For time.Duration }

func (e *StalledError) Error() string {
	return fmt.Sprintf("no progress: in %v this process used less than %v of a processor; the runner or the file "+
		"system stands still, so run the command again", e.For, e.For/100)
}

// patience is the time without progress after which Watch gives up, and lookEvery the time between two looks. A process
// that was suspended misses looks, so the suspension does not count.
const (
	patience  = 5 * time.Minute
	lookEvery = 10 * time.Second
)

// Watch returns run for a runner whose workers are in this process, such as Prism. A job during which the process uses
// less than 1% of a processor for five minutes is given up with a StalledError; what it has started is left to the end
// of the process.
func Watch(run Runner) Runner {
	return func(ctx context.Context, p *beam.Pipeline) error {
		t := time.NewTicker(lookEvery)
		defer t.Stop()
		return watched(ctx, run, p, t.C, processor)
	}
}

// watched runs a job and compares the used processor time at each look.
func watched(ctx context.Context, run Runner, p *beam.Pipeline, look <-chan time.Time,
	used func() time.Duration) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	done := make(chan error, 1) // nobody waits for a job that was given up
	go func() { done <- run(ctx, p) }()
	mark, idle := used(), time.Duration(0)
	for {
		select {
		case err := <-done:
			return err
		case <-look:
			if now := used(); now-mark >= patience/100 {
				mark, idle = now, 0
			} else if idle += lookEvery; idle >= patience {
				return &StalledError{idle}
			}
		}
	}
}

// processor returns the processor time that this process has used.
func processor() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err) // not reached: the arguments are valid
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
