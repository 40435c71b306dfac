package main

import (
	"fmt"
	"io"
	"os"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// bar shows how far long work has come: a moving bar with the time left on a terminal, now and then a line elsewhere.
type bar struct {
	what     string
	out      io.Writer
	progress *mpb.Progress // nil: no terminal
	line     *mpb.Bar
	note     string
	total    int64
	last     time.Time
	started  time.Time
}

// every is how often a line is written where there is no terminal.
const every = 10 * time.Second

func (a *app) terminal() bool {
	f, ok := a.err.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

func (a *app) newBar(what string, counters decor.Decorator) *bar {
	b := &bar{what: what, out: a.err, started: time.Now(), last: time.Now()}
	if !a.terminal() {
		return b
	}
	b.progress = mpb.New(mpb.WithOutput(a.err), mpb.WithWidth(48))
	b.line = b.progress.New(0, mpb.BarStyle().Rbound("|").Lbound("|"),
		mpb.PrependDecorators(decor.Name(what+" "), counters),
		mpb.AppendDecorators(
			decor.OnComplete(decor.EwmaETA(decor.ET_STYLE_GO, 8), ""),
			decor.Any(func(decor.Statistics) string { return " " + b.note }),
		))
	return b
}

// bytesBar counts bytes.
func (a *app) bytesBar(what string) *bar {
	return a.newBar(what, decor.CountersKibiByte("% .1f of % .1f "))
}

// stepsBar counts steps.
func (a *app) stepsBar(what string) *bar { return a.newBar(what, decor.CountersNoUnit("%d of %d ")) }

func (b *bar) set(done, total int64) {
	now := time.Now()
	if b.progress != nil {
		if total != b.total {
			b.total = total
			b.line.SetTotal(total, false)
		}
		b.line.EwmaSetCurrent(done, now.Sub(b.last))
		b.last = now
		return
	}
	if now.Sub(b.last) < every || total <= 0 {
		return
	}
	b.last = now
	left := time.Duration(float64(now.Sub(b.started)) * float64(total-done) / float64(max(done, 1))).Round(time.Second)
	fmt.Fprintf(b.out, "%s: %d%%, about %s left %s\n", b.what, 100*done/total, left, b.note)
}

// done ends the bar; what it stood at stays visible.
func (b *bar) done() {
	if b.progress == nil {
		return
	}
	b.line.SetTotal(-1, true)
	b.progress.Wait()
}
