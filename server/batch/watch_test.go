//go:build unix

package batch

import (
	"context"
	"errors"
	"reflect"
	"testing"
	"time"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
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
