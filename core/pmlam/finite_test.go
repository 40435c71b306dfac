package pmlam

import (
	"context"
	"errors"
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/pmlam/pmlam/core/internal/durable/durabletest"
	"github.com/pmlam/pmlam/core/training"
)

// A diverged training leaves exactly the state before the batch that diverged, and its newest checkpoint holds that
// state.
func TestADivergedTrainingLeavesTheStateBeforeTheBatch(t *testing.T) {
	m := clustered(40, 60, 15)
	for name, change := range map[string]func(*Config){
		"composed":                       func(c *Config) { c.LearnRate = 3e18 },
		"composed, free part, shrinkage": func(c *Config) { c.LearnRate = 3e18 },
		"8 the paper":                    func(c *Config) { c.OuterRate, c.Input = 1e36, "cat" },
	} {
		c := configs(t)[name]
		c.Radius, c.Decay, c.Epochs = math.MaxFloat32, false, 200
		change(&c)
		fs := &durabletest.Memory{}
		trainer := newTrainer(t, m, c, 2)
		keep(t, trainer, training.Checkpoints{FS: fs})
		got, err := trainer.Run(context.Background(), nil)
		var diverged *training.NonFiniteError
		if !errors.As(err, &diverged) {
			t.Fatalf("%s: %v", name, err)
		}
		steps := (diverged.Epoch-1)*trainer.Batches() + diverged.Batch - 1
		if steps < 1 {
			t.Fatalf("%s: %v, so there is nothing to compare", name, err)
		}
		before := newTrainer(t, m, c, 1)
		cut(t, before, steps)
		if want := before.result(); !same(got, want) {
			t.Errorf("%s: %v, but the state is not that after %d batches", name, err, steps)
		}
		resumed := newTrainer(t, m, c, 1)
		if r := keep(t, resumed, training.Checkpoints{FS: fs}); r.Epoch*r.Batches+r.Batch != steps ||
			resumed.Fingerprint() != before.Fingerprint() {
			t.Errorf("%s: %v, but the checkpoint is %+v", name, err, r)
		}
	}
}

// Non-finite values are found and named.
func TestWhatIsNotFiniteIsNamed(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(-1))
	all := []int{userItem, userUser, itemItem}
	for want, poison := range map[string]func(t *Trainer, inner, outer *[3]float64){
		// its square is not finite, but the value is
		"":                                   func(t *Trainer, _, _ *[3]float64) { t.theta.Row(7)[1] = 2e30 },
		"the user-user loss":                 func(_ *Trainer, inner, _ *[3]float64) { inner[1] = math.Inf(1) },
		"the outer item-item loss":           func(_ *Trainer, _, outer *[3]float64) { outer[2] = math.NaN() },
		"W1 of the user-item margin network": func(t *Trainer, _, _ *[3]float64) { t.tasks[userItem].net.W1[5] = nan },
		"b2 of the item-item margin network": func(t *Trainer, _, _ *[3]float64) { t.tasks[itemItem].net.B2 = inf },
		"the Gaussian of user 7":             func(t *Trainer, _, _ *[3]float64) { t.theta.Row(7)[3] = nan },
		"the Gaussian of item 7":             func(t *Trainer, _, _ *[3]float64) { t.theta.Row(t.items + 7)[15] = inf },
		"the Gaussian of item 3, which has not changed": func(t *Trainer, _, _ *[3]float64) {
			t.theta.Row(t.items + 3)[0] = nan
		},
	} {
		trainer := newTrainer(t, clustered(40, 60, 15), configs(t)["8 the paper"], 3)
		trainer.now = whole(trainer)
		trainer.sample()
		trainer.now.From = 2 * trainer.cfg.Batch
		for i := range trainer.step.seen {
			trainer.step.seen[i] = true
		}
		if want == "the Gaussian of item 3, which has not changed" {
			// Only rows changed by the step are checked; others were checked when they changed.
			trainer.step.seen[slices.Index(trainer.step.entities, int32(trainer.items+3))] = false
			want = ""
		}
		var inner, outer [3]float64
		poison(trainer, &inner, &outer)
		err := trainer.finite(all, inner, outer)
		if want == "" {
			if err != nil {
				t.Errorf("%v", err)
			}
			continue
		}
		if !reflect.DeepEqual(err, &training.NonFiniteError{Epoch: 1, Batch: 3, Tensor: want}) {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}
