package api

import (
	"context"
	"os"
	"time"
)

// Watch looks at the model file at every tick, and reloads it where its size or time has changed, until ctx is done. A
// file that is being written fails its check, and is looked at again when it has changed again.
func (h *Handler) Watch(ctx context.Context, ticks <-chan time.Time) {
	last := h.loadedAs
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks:
		}
		now := stampOf(h.file)
		if now == last || now == (stamp{}) {
			continue
		}
		last = now
		_ = h.Reload() // it is in the log
	}
}

// stamp is what tells one state of a file from another.
type stamp struct {
	size int64
	time time.Time
}

// stampOf returns the zero stamp where there is no file.
func stampOf(file string) stamp {
	info, err := os.Stat(file)
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime()}
}
