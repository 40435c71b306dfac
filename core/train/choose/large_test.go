package choose

import (
	"context"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
)

// On large data every trial continues from the common start of its dimension for a few epochs, on a sample. A rule sets
// the epochs, and no trial varies them. Neither the number of workers nor an interruption changes the choice.
func TestAutoOnLargeData(t *testing.T) {
	base := far(t)
	base.Temperature, base.Epochs, base.SharedNegatives = 0.25, 3, 2
	hand := []string{"epochs", "batch", "learn_rate"} // batches for large data would be all of these
	run := func(workers, most int, path string) (Settings, []Trial) {
		o := AutoOptions{Workers: workers, ByHand: hand}
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
		c, trials, err := choose(ctx, few(t), base, o, 2000, 1200)
		if err != nil && ctx.Err() == nil {
			t.Fatal(err)
		}
		return c, trials
	}
	path := func() string { return filepath.Join(t.TempDir(), "choice.jsonl") }
	got, trials := run(1, 0, path())
	if got.Epochs != base.Epochs || got.Batch != base.Batch || got.UserParts != largeUserParts {
		t.Errorf("the schedule is %+v", got)
	}
	taken, dims, own := 0, 0, beforeReferences(trials)
	for _, x := range own[:len(own)-1] {
		if x.Epochs > base.Epochs || x.Part != nil {
			t.Errorf("trial %d has %d epochs", x.Number, x.Epochs)
		}
		if v, tried := x.Values["epochs"]; tried {
			t.Errorf("trial %d tries %s epochs", x.Number, v)
		}
		if _, tried := x.Values["dim"]; tried {
			dims++
		}
		if x.Taken {
			taken++
		}
	}
	if dims == 0 {
		t.Error("no other dimension was tried")
	}
	if taken < 2 {
		t.Errorf("%d of %d trials were taken; the test needs one besides the first", taken, len(own))
	}
	if last := own[len(own)-1]; last.Part == nil {
		t.Errorf("the last trial is %+v, want the trial of the item-item part", last)
	}
	if again, same := run(3, 0, path()); again != got || !reflect.DeepEqual(plain(same), plain(trials)) {
		t.Error("three workers choose other settings")
	}
	for _, cut := range []int{3, len(own) - 1, len(trials) - 1} {
		at := path()
		if _, some := run(1, cut, at); len(some) != cut {
			t.Fatalf("stopped after %d: %d trials", cut, len(some))
		}
		if again, same := run(1, 0, at); again != got || !reflect.DeepEqual(plain(same), plain(trials)) {
			t.Errorf("stopped after %d trials and resumed, it chooses other settings", cut)
		}
	}
}

// The schedule for large data does not change settings set by hand, and bounds the number of pairs.
func TestTheScheduleForLargeData(t *testing.T) {
	base, err := Preset("best")
	if err != nil {
		t.Fatal(err)
	}
	of := func(interactions, items int) *dataset.Matrix {
		return &dataset.Matrix{Cols: items, Offsets: []int{0, interactions}, Indices: make([]int32, interactions)}
	}
	for _, x := range []struct{ interactions, items, epochs, dim int }{
		{largeData, manyItems - 1, base.Epochs, base.Dim},
		{itemVisits * 3000 / 10, 3000, 10, largeDim},
		{enoughLikes - 1, 2000, itemVisits * 2000 / (enoughLikes - 1), base.Dim},
		{enoughLikes, 2000, itemVisits * 2000 / enoughLikes, largeDim},
		{manyLikes - 1, manyItems, base.Epochs, base.Dim},
		{largePairs / 10, 2 * manyItems, 10, largeDim},
		{largePairs / 6, 2 * manyItems, 6, largeDim},
		{20_000_000, manyItems, fewestEpochs, largeDim},
	} {
		if c := withLargeSchedule(base, of(x.interactions, x.items), nil); c.Epochs != x.epochs || c.Dim != x.dim {
			t.Errorf("%+v: %d epochs, dimension %d", x, c.Epochs, c.Dim)
		}
	}
	hand := []string{"batch", "user_parts", "user_pairs", "epochs", "dim", "shrinkage"}
	if c := withLargeSchedule(base, of(largeData, manyItems), hand); c != base {
		t.Errorf("settings set by hand became %+v", c)
	}
	if c := withLargeSchedule(base, of(largeData, 1), []string{"learn_rate"}); c.Batch != base.Batch {
		t.Error("the batch changed, although its learning rate is set by hand")
	}
	for likes, want := range map[int]float64{shrinkLikes - 1: largeShrinkage, shrinkLikes: 0} {
		if c := withLargeSchedule(base, of(likes*manyItems, manyItems), nil); c.Shrinkage != want ||
			(c.ShrinkageItems > 0) != (want > 0) || c.Validate() != nil {
			t.Errorf("%d likes an item: %+v", likes, c)
		}
	}
	if c := withLargeSchedule(base, of(largeData, 1), []string{"user_parts"}); c.UserParts != 0 ||
		c.UserPairs != pairsTogether || c.Batch != pairsBatch || c.Negatives != base.Negatives {
		t.Errorf("without parts asked: %+v", c)
	}
	hybrid, err := Preset("hybrid")
	if err != nil {
		t.Fatal(err)
	}
	if c := withLargeSchedule(hybrid, of(largeData, 1), nil); c.ItemTop != largeTop ||
		c.UserWeight != largeUserWeight || c.Validate() != nil {
		t.Errorf("%+v", c)
	}
	hand = []string{"item_top", "user_weight"}
	if c := withLargeSchedule(hybrid, of(largeData, 1), hand); c.ItemTop != hybrid.ItemTop ||
		c.UserWeight != hybrid.UserWeight {
		t.Errorf("settings set by hand became %+v", c)
	}
	parts := base
	parts.UserParts = 10
	for _, x := range []struct {
		interactions, items, batch int
		rate                       float64
	}{
		{largeData, 10, 1000, 0.0106}, {largeData, manyItems, 1500, 0.013}, {800_000, manyItems, 9600, largeRate},
		{20_000_000, manyItems, largestBatch, largeRate},
	} {
		c := withLargeSchedule(parts, of(x.interactions, x.items), []string{"user_parts"})
		if c.UserParts != 10 || c.UserPairs != 0 || c.Batch != x.batch || c.LearnRate != x.rate ||
			c.Negatives != largeNegatives {
			t.Errorf("%+v, with ten parts: %+v", x, c)
		}
	}
}
