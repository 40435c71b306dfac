//go:build unix

package batch

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/util/hooks"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
)

// StalledError reports a job that stood still.
type StalledError struct{ For time.Duration }

func (e *StalledError) Error() string {
	return fmt.Sprintf("no progress: in %v this process used less than %v of a processor; the runner or the file "+
		"system stands still, so run the command again, with more --parallelism if workers stand still again",
		e.For, e.For/100)
}

// patience is the time without progress after which Watch gives up, and lookEvery the time between two looks. A process
// that was suspended misses looks, so the suspension does not count.
const (
	patience  = 5 * time.Minute
	lookEvery = 10 * time.Second
)

// Watch returns run for a runner whose workers are in this process, such as Prism. A job during which the process uses
// less than 1% of a processor for five minutes is given up with a StalledError; its goroutines stay
// until the process ends.
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
	at := idleness{mark: used()}
	for {
		select {
		case err := <-done:
			return err
		case <-look:
			if err := at.look(used(), true); err != nil {
				return err
			}
		}
	}
}

// idleness is the time for which a process has used next to no processor time.
type idleness struct {
	mark time.Duration // the processor time at its beginning
	idle time.Duration
}

// look returns a StalledError once a process with work to do has been idle for too long. It is called every lookEvery,
// with the processor time used so far.
func (i *idleness) look(used time.Duration, working bool) error {
	if used-i.mark >= patience/100 || !working {
		i.mark, i.idle = used, 0
	} else if i.idle += lookEvery; i.idle >= patience {
		return &StalledError{i.idle}
	}
	return nil
}

// stalls is the hook in workers that WatchWorkers enables.
const stalls = "pmlam-stalls"

// working is the number of bundles that this process is working on.
var working atomic.Int64

func init() {
	hooks.RegisterHook(stalls, func([]string) hooks.Hook {
		count := func(q *fnpb.InstructionRequest, n int64) {
			if q.GetProcessBundle() != nil {
				working.Add(n)
			}
		}
		return hooks.Hook{
			Init: func(ctx context.Context) (context.Context, error) {
				go watchWorker(time.Tick(lookEvery), processor, func(err error) {
					log.Errorf(ctx, "%v", err)
					fmt.Fprintln(os.Stderr, "pmlam-batch:", err)
					os.Exit(1)
				})
				return ctx, nil
			},
			Req: func(ctx context.Context, q *fnpb.InstructionRequest) (context.Context, error) {
				count(q, 1)
				return ctx, nil
			},
			Resp: func(_ context.Context, q *fnpb.InstructionRequest, _ *fnpb.InstructionResponse) error {
				count(q, -1)
				return nil
			},
		}
	})
}

// WatchWorkers has the workers of later jobs, which are processes of their own, end with a StalledError if one uses
// less than 1% of a processor for five minutes while it works on a bundle. The runner then repeats its work, or fails
// the job.
func WatchWorkers() error { return hooks.EnableHook(stalls) }

// watchWorker calls give with the StalledError of this worker.
func watchWorker(look <-chan time.Time, used func() time.Duration, give func(error)) {
	at := idleness{mark: used()}
	for range look {
		if err := at.look(used(), working.Load() > 0); err != nil {
			give(err)
			return
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
