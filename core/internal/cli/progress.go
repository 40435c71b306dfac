package cli

import (
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/vbauerster/mpb/v8"
	"github.com/vbauerster/mpb/v8/decor"
	"golang.org/x/term"
)

// Bar shows the progress and the time left of long work: a bar on a terminal, elsewhere a line now and then. It belongs
// to one goroutine.
type Bar struct {
	program  string // whose it is
	what     string
	out      io.Writer
	started  time.Time
	last     time.Time // of the last line, or of the last step on a terminal
	lines    int
	progress *mpb.Progress // nil: no terminal
	line     *mpb.Bar
	note     atomic.Pointer[string] // drawn by another goroutine
	At, Of   int64
	ended    bool          // its end was printed
	from     int64         // what was done before it started
	Until    time.Time     // when the work ends at the latest; zero: when it is done
	Estimate time.Duration // the time left, where somebody knows better than by the steps done; 0: nobody does
	unit     string        // of what is counted: "batches"; "": bytes
}

// Where there is no terminal, the first line comes after firstLine and a further one every nextLine, so that short
// work stays silent.
const (
	firstLine = time.Second
	nextLine  = 10 * time.Second
)

// Terminal reports whether standard error is a terminal.
func (a *App) Terminal() bool {
	f := file(a.Err)
	return f != nil && term.IsTerminal(int(f.Fd()))
}

// bytesBar returns a bar that counts bytes.
func (a *App) bytesBar(what string) *Bar { return a.newBar(what, "") }

// StepsBar returns a bar that counts steps of that unit, such as "batches".
func (a *App) StepsBar(what, unit string) *Bar { return a.newBar(what, unit) }

func (a *App) newBar(what, unit string) *Bar {
	what = Line(what)
	b := &Bar{program: a.Name, what: what, out: a.Err, started: time.Now(), last: time.Now(), unit: unit}
	if !a.Terminal() {
		return b
	}
	counters := decor.CountersNoUnit("%d of %d " + unit + " ")
	if unit == "" {
		counters = decor.CountersKibiByte("% .1f of % .1f ")
	}
	// The bar moves by escape sequences, so it has the terminal to itself; whatever text it shows is made visible here.
	b.progress = mpb.New(mpb.WithOutput(file(a.Err)), mpb.WithWidth(30))
	b.line = b.progress.New(0, mpb.BarStyle().Rbound("|").Lbound("|"),
		mpb.BarFillerTrim(),
		mpb.PrependDecorators(decor.Name(what+" "), counters),
		mpb.AppendDecorators(decor.Any(func(decor.Statistics) string {
			if note := b.note.Load(); note != nil {
				return " " + *note
			}
			return ""
		})))
	return b
}

// Set says that so much of total is done; note is anything else worth showing.
func (b *Bar) Set(done, total int64, note string) {
	b.At, b.Of = done, total
	now := time.Now()
	text := note
	if left := b.left(now); left != "" {
		text = left
		if note != "" {
			text += ", " + note
		}
	}
	text = Line(text)
	if b.progress != nil {
		b.note.Store(&text)
		b.line.SetTotal(total, false)
		b.line.SetCurrent(done)
		return
	}
	wait := nextLine
	if b.lines == 0 {
		wait = firstLine
	}
	if now.Sub(b.last) < wait {
		return
	}
	b.last = now
	b.lines++
	b.printLine(text)
}

// printLine writes a line where there is no terminal.
func (b *Bar) printLine(text string) {
	if text != "" {
		text = ", " + text
	}
	if b.unit == "" {
		fmt.Fprintf(b.out, "%s: %d%% of %.1f MB%s\n", b.what, 100*b.At/max(b.Of, 1), float64(b.Of)/1e6, text)
		return
	}
	fmt.Fprintf(b.out, "%s: %d of %d %s%s\n", b.what, b.At, b.Of, b.unit, text)
}

// StartAt sets what was done before, so that the time left is estimated from what is done from now on.
func (b *Bar) StartAt(done, total int64) {
	b.from, b.started = done, time.Now()
	b.Set(done, total, "")
}

// Say writes a notice, above the bar where there is one.
func (b *Bar) Say(format string, args ...any) {
	out := b.out
	if b.progress != nil {
		out = b.progress
	}
	io.WriteString(out, Visible(b.program+": "+fmt.Sprintf(format, args...)+"\n"))
}

// left returns the estimated time left; "" where nothing is done yet.
func (b *Bar) left(now time.Time) string {
	if b.At <= b.from || b.At >= b.Of {
		return ""
	}
	left := b.Estimate
	if left == 0 {
		left = time.Duration(float64(now.Sub(b.started)) / float64(b.At-b.from) * float64(b.Of-b.At))
	}
	if !b.Until.IsZero() {
		left = min(left, b.Until.Sub(now))
	}
	return "about " + max(left, time.Second).Round(time.Second).String() + " left"
}

// Count is set without a note.
func (b *Bar) Count(done, total int) { b.Set(int64(done), int64(total), "") }

// Done ends the bar; where it stood stays visible. Finished work prints how long it took, if it has printed anything
// before; work that was cut prints nothing.
func (b *Bar) Done() {
	end := "in " + time.Since(b.started).Round(100*time.Millisecond).String()
	if b.progress == nil {
		if b.lines > 0 && b.At >= b.Of && b.Of > 0 && !b.ended {
			b.ended = true
			b.printLine(end)
		}
		return
	}
	if b.At >= b.Of {
		b.note.Store(&end)
	}
	if b.At < b.Of || b.Of == 0 {
		b.line.Abort(b.Of == 0) // what never began leaves no trace
	} else {
		b.line.SetTotal(b.Of, true)
	}
	b.progress.Wait()
	b.progress = nil
}
