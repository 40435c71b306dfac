package cli

import (
	"fmt"
	"io"
	"time"

	"golang.org/x/term"
)

// Bar shows progress and the time left: a bar on a terminal, occasional lines elsewhere. One goroutine uses it.
type Bar struct {
	program  string // the program's name
	what     string
	out      io.Writer
	started  time.Time
	last     time.Time // of the last line, or of the last step on a terminal
	lines    int
	drawing  drawing // nil: lines are printed
	At, Of   int64
	ended    bool          // the final line was printed
	from     int64         // done before this run
	Until    time.Time     // the latest end of the work; zero: unlimited
	Estimate time.Duration // a better estimate of the time left than by steps; 0: none
	unit     string        // of the count, such as "batches"; "": bytes
}

// drawing shows a bar's state as it changes: on a terminal (progress_terminal.go) or in a page (progress_js.go).
type drawing interface {
	io.Writer // of notices above the bar
	// set shows done of total. left is the estimated time left; 0: unknown. text is the note with that time.
	set(done, total int64, left time.Duration, note, text string)
	// end leaves the last state visible. took says how long the work took.
	end(done, total int64, took string)
}

// Without a terminal, the first line comes after firstLine and further ones every nextLine, so short work stays silent.
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

// StepsBar returns a bar that counts steps in that unit, such as "batches".
func (a *App) StepsBar(what, unit string) *Bar { return a.newBar(what, unit) }

func (a *App) newBar(what, unit string) *Bar {
	what = Line(what)
	b := &Bar{program: a.Name, what: what, out: a.Err, started: time.Now(), last: time.Now(), unit: unit}
	b.drawing = a.draw(what, unit)
	return b
}

// Set reports done of total; note is shown next to it.
func (b *Bar) Set(done, total int64, note string) {
	b.At, b.Of = done, total
	now := time.Now()
	text := note
	left := b.left(now)
	if left > 0 {
		text = "about " + left.String() + " left"
		if note != "" {
			text += ", " + note
		}
	}
	text = Line(text)
	if b.drawing != nil {
		b.drawing.set(done, total, left, note, text)
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

// printLine writes a line, unless standard error is a terminal.
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

// StartAt sets the part done before, which the estimate of the time left leaves out.
func (b *Bar) StartAt(done, total int64) {
	b.from, b.started = done, time.Now()
	b.Set(done, total, "")
}

// Say writes a notice, above the bar if there is one.
func (b *Bar) Say(format string, args ...any) {
	out := b.out
	if b.drawing != nil {
		out = b.drawing
	}
	io.WriteString(out, Visible(b.program+": "+fmt.Sprintf(format, args...)+"\n"))
}

// left returns the estimated time left in whole seconds, at least one; 0 before the first step and after the last.
func (b *Bar) left(now time.Time) time.Duration {
	if b.At <= b.from || b.At >= b.Of {
		return 0
	}
	left := b.Estimate
	if left == 0 {
		left = time.Duration(float64(now.Sub(b.started)) / float64(b.At-b.from) * float64(b.Of-b.At))
	}
	if !b.Until.IsZero() {
		left = min(left, b.Until.Sub(now))
	}
	return max(left, time.Second).Round(time.Second)
}

// Count is Set without a note.
func (b *Bar) Count(done, total int) { b.Set(int64(done), int64(total), "") }

// Done ends the bar and leaves its last state visible. Finished work prints its duration if it has printed anything
// before; unfinished work prints nothing.
func (b *Bar) Done() {
	end := "in " + time.Since(b.started).Round(100*time.Millisecond).String()
	if b.drawing != nil {
		b.drawing.end(b.At, b.Of, end)
		b.drawing = nil
		return
	}
	if b.lines > 0 && b.At >= b.Of && b.Of > 0 && !b.ended {
		b.ended = true
		b.printLine(end)
	}
}
