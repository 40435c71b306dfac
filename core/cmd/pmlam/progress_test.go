package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// Where there is no terminal, what has told of its progress tells its end, and what was stopped does not claim one.
func TestProgressEnds(t *testing.T) {
	var out bytes.Buffer
	b := (&app{err: &out}).stepsBar("training", "batches")
	b.set(1, 4, "")
	b.done()
	if out.Len() != 0 {
		t.Errorf("work of no time says %q", &out)
	}
	b.last = time.Now().Add(-firstLine)
	b.set(2, 4, "loss 1")
	b.done() // stopped
	b.set(4, 4, "")
	b.done()
	b.done() // deferred, too
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "training: 2 of 4 batches, about 1s left, loss 1") ||
		!strings.HasPrefix(lines[1], "training: 4 of 4 batches, in ") {
		t.Errorf("%q", lines)
	}
	out.Reset()
	b = (&app{err: &out}).bytesBar("reading")
	b.last = time.Now().Add(-firstLine)
	b.set(2_500_000, 2_500_000, "")
	if out.String() != "reading: 100% of 2.5 MB\n" {
		t.Errorf("%q", &out)
	}
}
