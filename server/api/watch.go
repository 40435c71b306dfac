package api

import (
	"context"
	"os"
	"time"
)

// Watch checks the model file at every tick, and reloads it if its size or time has changed, until ctx is done. A
// partially written file fails its check, and is checked again after its next change.
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
		_ = h.Reload() // logged by Reload
	}
}

// stamp identifies a state of a file.
type stamp struct {
	size int64
	time time.Time
}

// stampOf returns the zero stamp if the file is missing.
func stampOf(file string) stamp {
	info, err := os.Stat(file)
	if err != nil {
		return stamp{}
	}
	return stamp{info.Size(), info.ModTime()}
}
