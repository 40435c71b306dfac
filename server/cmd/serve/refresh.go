package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/pmlam/pmlam/server/api"
)

// keepFresh has h read its model again on SIGHUP, and where the file has changed when it is looked at, every so often;
// 0 is never. h is told when ctx is done. The function that is returned ends all of it.
func keepFresh(ctx context.Context, h *api.Handler, every time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	context.AfterFunc(ctx, h.Drain)
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	go func() {
		for {
			select {
			case <-hangup:
				_ = h.Reload() // it is in the log
			case <-ctx.Done():
				signal.Stop(hangup)
				return
			}
		}
	}()
	if every > 0 {
		go h.Watch(ctx, time.Tick(every))
	}
	return cancel
}
