package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// Without a terminal, work that has printed progress prints its end, and stopped work prints none.
func TestProgressEnds(t *testing.T) {
	var out bytes.Buffer
	b := (&App{Err: &out}).StepsBar("training", "batches")
	b.Set(1, 4, "")
	b.Done()
	if out.Len() != 0 {
		t.Errorf("finished at once, the bar printed %q", &out)
	}
	b.last = time.Now().Add(-firstLine)
	b.Set(2, 4, "loss 1")
	b.Done() // stopped
	b.Set(4, 4, "")
	b.Done()
	b.Done() // deferred, too
	lines := strings.Split(out.String(), "\n")
	if len(lines) != 3 || !strings.HasPrefix(lines[0], "training: 2 of 4 batches, about 1s left, loss 1") ||
		!strings.HasPrefix(lines[1], "training: 4 of 4 batches, in ") {
		t.Errorf("%q", lines)
	}
	out.Reset()
	b = (&App{Err: &out}).bytesBar("reading")
	b.last = time.Now().Add(-firstLine)
	b.Set(2_500_000, 2_500_000, "")
	if out.String() != "reading: 100% of 2.5 MB\n" {
		t.Errorf("%q", &out)
	}
}
