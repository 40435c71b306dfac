package main

import (
	"context"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/pmlam/pmlam/server/api"
)

// keepFresh makes h reload its model on SIGHUP, and when the file has changed at a check every so often; 0 means never.
// When ctx is done, it drains h. The returned function ends its work.
func keepFresh(ctx context.Context, h *api.Handler, every time.Duration) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	context.AfterFunc(ctx, h.Drain)
	hangup := make(chan os.Signal, 1)
	signal.Notify(hangup, syscall.SIGHUP)
	go func() {
		for {
			select {
			case <-hangup:
				_ = h.Reload() // logged by Reload
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
