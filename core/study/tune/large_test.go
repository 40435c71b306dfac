package tune

import (
	"context"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/pmlam"
)

// On large data every trial goes on from the common start for a few epochs, on a sample; dimension and epochs are set
// by rules and not tried. The choice depends neither on the workers nor on where it was cut.
func TestAutoOnLargeData(t *testing.T) {
	base := far(t)
	base.Temperature, base.Epochs = 4, 2
	run := func(workers, most int, path string) (pmlam.Config, []Trial) {
		o := AutoOptions{Workers: workers, ByHand: []string{"epochs"}}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		o.Report = func(e AutoEvent) {
			if e.Done && e.Trial.Number == most-1 {
				cancel()
			}
		}
		var err error
		if o.Journal, err = OpenJournal(path, NewAutoHeader(few(t), base, o)); err != nil {
			t.Fatal(err)
		}
		defer o.Journal.Close()
		c, trials, err := choose(ctx, few(t), base, o, 1200, 2000)
		if err != nil && ctx.Err() == nil {
			t.Fatal(err)
		}
		return c, trials
	}
	path := func() string { return filepath.Join(t.TempDir(), "choice.jsonl") }
	got, trials := run(1, 0, path())
	if got.Epochs != base.Epochs || got.Batch != largeBatch || got.UserPairs != largeUserPairs || got.Dim != base.Dim {
		t.Errorf("the schedule is %+v", got)
	}
	taken := 0
	for _, x := range trials[:len(trials)-1] {
		if x.Epochs != refineEpochs || x.Part != nil {
			t.Errorf("trial %d has %d epochs", x.Number, x.Epochs)
		}
		for _, name := range []string{"dim", "epochs"} {
			if v, tried := x.Values[name]; tried {
				t.Errorf("trial %d tries %s %s", x.Number, name, v)
			}
		}
		if x.Taken {
			taken++
		}
	}
	if taken < 2 {
		t.Errorf("%d of %d trials were taken; the test needs one beside the first", taken, len(trials))
	}
	if last := trials[len(trials)-1]; last.Part == nil {
		t.Errorf("the last trial is %+v, not the item-item part's", last)
	}
	if again, same := run(3, 0, path()); again != got || !reflect.DeepEqual(plain(same), plain(trials)) {
		t.Error("three workers choose otherwise")
	}
	for _, cut := range []int{1, 3, len(trials) - 1} {
		at := path()
		if _, some := run(1, cut, at); len(some) != cut {
			t.Fatalf("cut after %d: %d trials", cut, len(some))
		}
		if again, same := run(1, 0, at); again != got || !reflect.DeepEqual(plain(same), plain(trials)) {
			t.Errorf("cut after %d trials it chooses otherwise", cut)
		}
	}
}

// The schedule for large data keeps what is set by hand, and the number of pairs within bounds.
func TestTheScheduleForLargeData(t *testing.T) {
	base, err := pmlam.Preset("best")
	if err != nil {
		t.Fatal(err)
	}
	of := func(interactions, items int) *dataset.Matrix {
		return &dataset.Matrix{Cols: items, Offsets: []int{0, interactions}, Indices: make([]int32, interactions)}
	}
	for _, x := range []struct{ interactions, items, epochs, dim int }{
		{largeData, manyItems - 1, base.Epochs, base.Dim},
		{largePairs / 6, manyItems, 6, manyItemsDim},
		{20_000_000, manyItems, fewestEpochs, manyItemsDim},
	} {
		if c := withLargeSchedule(base, of(x.interactions, x.items), nil); c.Epochs != x.epochs || c.Dim != x.dim {
			t.Errorf("%+v: %d epochs, dimension %d", x, c.Epochs, c.Dim)
		}
	}
	hand := []string{"batch", "user_pairs", "epochs", "dim"}
	if c := withLargeSchedule(base, of(largeData, manyItems), hand); c != base {
		t.Errorf("what was set by hand became %+v", c)
	}
	if c := withLargeSchedule(base, of(largeData, 1), []string{"learn_rate"}); c.Batch != base.Batch {
		t.Error("the batch changed though the learning rate for it is set by hand")
	}
}

func TestWithoutRareItems(t *testing.T) {
	m := &dataset.Matrix{Cols: 4, Offsets: []int{0, 2, 3, 6, 8}, Indices: []int32{0, 2, 1, 0, 2, 3, 0, 3}}
	got := withoutRareItems(m, 2) // item 1 goes, and with it the second user
	if got.Cols != 3 || !slices.Equal(got.Offsets, []int{0, 2, 5, 7}) ||
		!slices.Equal(got.Indices, []int32{0, 1, 0, 1, 2, 0, 2}) {
		t.Errorf("%+v", got)
	}
}
