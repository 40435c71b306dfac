package cli

import (
	"io"
	"time"
)

// shown passes a bar's state on to the page.
type shown struct {
	io.Writer
	host       Host
	what, unit string
}

// draw returns the drawing of a bar, or nil without a page.
func (a *App) draw(what, unit string) drawing {
	if a.Host == nil {
		return nil
	}
	return shown{a.Err, a.Host, what, unit}
}

func (s shown) set(done, total int64, left time.Duration, note, _ string) {
	s.host.Progress(s.what, s.unit, done, total, left, note)
}

func (s shown) end(done, total int64, took string) {
	s.host.Progress(s.what, s.unit, done, total, 0, took)
}
