//go:build !js

package cli

import (
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
)

// terminal draws a bar on a terminal. The bar moves by escape sequences, so it writes to the terminal directly; its
// texts are escaped before.
type terminal struct {
	*mpb.Progress
	line *mpb.Bar
	note atomic.Pointer[string] // read by the goroutine that draws
}

// draw returns the drawing of a bar, or nil if standard error is not a terminal.
func (a *App) draw(what, unit string) drawing {
	if !a.Terminal() {
		return nil
	}
	counters := decor.CountersNoUnit("%d of %d " + unit + " ")
	if unit == "" {
		counters = decor.CountersKibiByte("% .1f of % .1f ")
	}
	t := &terminal{Progress: mpb.New(mpb.WithOutput(file(a.Err)), mpb.WithWidth(30))}
	t.line = t.New(0, mpb.BarStyle().Rbound("|").Lbound("|"),
		mpb.BarFillerTrim(),
		mpb.PrependDecorators(decor.Name(what+" "), counters),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
			if note := t.note.Load(); note != nil {
				return " " + *note
			}
			return ""
		})))
	return t
}

func (t *terminal) set(done, total int64, _ time.Duration, _, text string) {
	t.note.Store(&text)
	t.line.SetTotal(total, false)
	t.line.SetCurrent(done)
}

func (t *terminal) end(done, total int64, took string) {
	if done >= total {
		t.note.Store(&took)
	}
	if done < total || total == 0 {
		t.line.Abort(total == 0) // work that never began leaves no trace
	} else {
		t.line.SetTotal(total, true)
	}
	t.Wait()
}
