package api

import (
	"context"
	"net/http"
	"sync/atomic"
	"time"
)

// DefaultWait is how long a question waits for its turn.
const DefaultWait = 2 * time.Second

// slots bounds how many questions are worked on at once. More than there are processors would only take turns, with
// the memory of all of them.
type slots struct {
	free    chan struct{} // as many as questions may be worked on; one is in it for each that is
	wait    time.Duration
	waiting atomic.Int64
}

// take returns once it is the question's turn, or an error where that took too long or its client has gone.
func (s *slots) take(ctx context.Context) error {
	select {
	case s.free <- struct{}{}:
		return nil
	default:
	}
	s.waiting.Add(1)
	defer s.waiting.Add(-1)
	late := time.NewTimer(s.wait)
	defer late.Stop()
	select {
	case s.free <- struct{}{}:
		return nil
	case <-late.C:
	case <-ctx.Done():
	}
	return &problem{http.StatusServiceUnavailable, "", "too many questions are being worked on; ask again in a second"}
}

func (s *slots) giveBack() { <-s.free }
