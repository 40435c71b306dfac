package choose

import (
	"testing"

	"github.com/pmlam/pmlam/core/dataset"
)

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
		{largeData, manyItems - 1, largeEpochs, base.Dim},
		{itemVisits * 3000 / 10, 3000, 10, largeDim},
		{enoughLikes - 1, 2000, itemVisits * 2000 / (enoughLikes - 1), base.Dim},
		{enoughLikes, 2000, itemVisits * 2000 / enoughLikes, largeDim},
		{manyLikes - 1, manyItems, largeEpochs, base.Dim},
		{largePairs / 10, 2 * manyItems, 10, largeDim},
		{largePairs / 6, 2 * manyItems, 6, largeDim},
		{20_000_000, manyItems, fewestEpochs, largeDim},
	} {
		if c := withSchedule(base, of(x.interactions, x.items), nil); c.Epochs != x.epochs || c.Dim != x.dim {
			t.Errorf("%+v: %d epochs, dimension %d", x, c.Epochs, c.Dim)
		}
	}
	hand := []string{"batch", "user_parts", "user_pairs", "epochs", "dim", "shrinkage"}
	if c := withSchedule(base, of(largeData, manyItems), hand); c != base {
		t.Errorf("settings set by hand became %+v", c)
	}
	if c := withSchedule(base, of(largeData, 1), []string{"learn_rate"}); c.Batch != base.Batch {
		t.Error("the batch changed, although its learning rate is set by hand")
	}
	for likes, want := range map[int]float64{shrinkLikes - 1: largeShrinkage, shrinkLikes: 0} {
		if c := withSchedule(base, of(likes*manyItems, manyItems), nil); c.Shrinkage != want ||
			(c.ShrinkageItems > 0) != (want > 0) || c.Validate() != nil {
			t.Errorf("%d likes an item: %+v", likes, c)
		}
	}
	for likes, want := range map[int]float64{fewLikes - 1: fewsPower, fewLikes: 0} {
		const users = largeData / 10
		m := &dataset.Matrix{Cols: 100, Offsets: make([]int, users+1), Indices: make([]int32, likes*users)}
		if c := withSchedule(base, m, nil); c.LossPower != want || c.Validate() != nil {
			t.Errorf("%d likes a user: %+v", likes, c)
		}
		for _, name := range []string{"loss_power", "user_parts"} {
			if c := withSchedule(base, m, []string{name}); c.LossPower != 0 || c.Validate() != nil {
				t.Errorf("%d likes a user, %s by hand: %+v", likes, name, c)
			}
		}
	}
	many := &dataset.Matrix{Cols: 100, Offsets: make([]int, enoughLikes+1), Indices: make([]int32, enoughLikes)}
	if c := withSchedule(base, many, nil); c.LossPower != 0 {
		t.Errorf("one like a user, but many users: %+v", c)
	}
	if c := withSchedule(base, of(largeData, 1), []string{"user_parts"}); c.UserParts != 0 ||
		c.UserPairs != pairsTogether || c.Batch != pairsBatch || c.Negatives != base.Negatives {
		t.Errorf("without parts asked: %+v", c)
	}
	hybrid, err := Preset("hybrid")
	if err != nil {
		t.Fatal(err)
	}
	if c := withSchedule(hybrid, of(largeData, 1), nil); c.ItemTop != largeTop ||
		c.UserWeight != largeUserWeight || c.Validate() != nil {
		t.Errorf("%+v", c)
	}
	hand = []string{"item_top", "user_weight"}
	if c := withSchedule(hybrid, of(largeData, 1), hand); c.ItemTop != hybrid.ItemTop ||
		c.UserWeight != hybrid.UserWeight {
		t.Errorf("settings set by hand became %+v", c)
	}
	parts := base
	parts.UserParts = 10
	for _, x := range []struct {
		interactions, items, batch int
		rate                       float64
	}{
		{largeData, 10, 1000, 0.0106}, {100_000, manyItems, 1500, 0.013}, {800_000, manyItems, 9600, largeRate},
		{20_000_000, manyItems, largestBatch, largeRate},
	} {
		c := withSchedule(parts, of(x.interactions, x.items), []string{"user_parts"})
		if c.UserParts != 10 || c.UserPairs != 0 || c.Batch != x.batch || c.LearnRate != x.rate ||
			c.Negatives != largeNegatives {
			t.Errorf("%+v, with ten parts: %+v", x, c)
		}
	}
}
