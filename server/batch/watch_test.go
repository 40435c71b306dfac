//go:build unix

package batch

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/util/hooks"
	fnpb "github.com/apache/beam/sdks/v2/go/pkg/beam/model/fnexecution_v1"
)

// standing is closed when the worker of TestAJobThatStandsStill has begun to stand still, which lasts until released is
// closed.
var standing, released = make(chan struct{}), make(chan struct{})

type standFn struct{}

func (*standFn) ProcessElement([]byte) { close(standing); <-released }

func init() { beam.RegisterDoFn(reflect.TypeFor[standFn]()) }

// TestAJobThatStandsStill: a job that makes no progress ends with an error that says so.
func TestAJobThatStandsStill(t *testing.T) {
	defer close(released)
	look := make(chan time.Time)
	go func() {
		<-standing
		for {
			select {
			case look <- time.Time{}:
			case <-released:
				return
			}
		}
	}()
	p, s := beam.NewPipelineWithRoot()
	beam.ParDo0(s, &standFn{}, beam.Impulse(s))
	err := watched(t.Context(), testRunner(t), p, look, func() time.Duration { return time.Hour })
	var stalled *StalledError
	if !errors.As(err, &stalled) || stalled.For != patience {
		t.Errorf("got %v, want a job that stood still for %v", err, patience)
	}
}

// TestAJobThatMoves: a busy job is not given up, however long it takes, and one whose work is slow to begin neither.
func TestAJobThatMoves(t *testing.T) {
	const looks = 10 * int(patience/lookEvery)
	look, end, used := make(chan time.Time), make(chan struct{}), time.Duration(0)
	run := func(context.Context, *beam.Pipeline) error { <-end; return nil }
	go func() {
		for range looks {
			look <- time.Time{}
		}
		close(end)
	}()
	n := 0
	if err := watched(t.Context(), run, nil, look, func() time.Duration {
		if n++; n%int(patience/lookEvery) == 0 { // only just often enough
			used += patience / 100
		}
		return used
	}); err != nil {
		t.Error(err)
	}
	if n != looks+1 {
		t.Errorf("looked %d times", n)
	}
}

// TestAWorkerThatStandsStill: a worker gives up if a bundle uses no processor time, but waits for the next bundle as long
// as it takes.
func TestAWorkerThatStandsStill(t *testing.T) {
	defer working.Store(0)
	// The look before the bundle may be handled when the bundle is there.
	look, given := make(chan time.Time), make(chan error, 1)
	go watchWorker(look, func() time.Duration { return time.Hour }, func(err error) { given <- err })
	const enough = int(patience / lookEvery)
	for range 3 * enough { // no bundle
		look <- time.Time{}
	}
	working.Store(1)
looks:
	for n := range enough {
		select {
		case err := <-given:
			if n < enough-1 {
				t.Fatalf("gave up after %d looks: %v", n, err)
			}
			given <- err
			break looks
		case look <- time.Time{}:
		}
	}
	var stalled *StalledError
	if err := <-given; !errors.As(err, &stalled) || stalled.For != patience {
		t.Errorf("got %v, want a worker that stood still for %v", err, patience)
	}
}

// TestWorkersAreWatched: the hook counts the bundles of a job's workers.
func TestWorkersAreWatched(t *testing.T) {
	if err := WatchWorkers(); err != nil {
		t.Fatal(err)
	}
	hooks.SerializeHooksToOptions()
	hooks.DeserializeHooksFromOptions(t.Context()) // as a worker does
	var q fnpb.InstructionRequest
	q.Request = &fnpb.InstructionRequest_ProcessBundle{ProcessBundle: &fnpb.ProcessBundleRequest{}}
	ctx := hooks.RunRequestHooks(t.Context(), &q)
	if n := working.Load(); n != 1 {
		t.Errorf("%d bundles at work, want 1", n)
	}
	hooks.RunRequestHooks(ctx, &fnpb.InstructionRequest{}) // no bundle
	hooks.RunResponseHooks(ctx, &q, nil)
	if n := working.Load(); n != 0 {
		t.Errorf("%d bundles at work after the answer, want 0", n)
	}
}
