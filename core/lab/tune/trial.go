package tune

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
	"github.com/pmlam/pmlam/core/training"
)

// measurements is the number of measurements of a trial along a schedule of fixed length.
const measurements = 5

// DefaultShare is the validation part's share of each user's items unless the settings give one.
const DefaultShare = 0.1

// patience is the number of validations without improvement that end a training at a constant learning rate.
const patience = 4

// plan returns the settings that a trial trains with. At a constant learning rate early stopping chooses the epochs.
// With a rate that falls to 0 the length of the schedule is a setting, and its end counts.
func plan(c choose.Settings) choose.Settings {
	if c.Validation == 0 {
		c.Validation = DefaultShare
	}
	if c.Decay {
		c.Every, c.Patience = max((c.Epochs+measurements-1)/measurements, 1), 0
	} else if c.Patience == 0 {
		c.Patience = patience
	}
	return c
}

// run trains on train minus a validation part with cfg and fills in the result of trial t; it chooses the item-item
// part unless fixed. prepare, if not nil, gets the training before it begins and may move it to a checkpoint; look, if
// not nil, is called for each later measurement, with its number from 1, and returns whether to stop. An error ends the
// study: ctx's, prepare's, or settings or data that cannot be trained on.
func run(ctx context.Context, t *choose.Trial, train *dataset.Matrix, cfg choose.Settings, byHand []string,
	workers int, prepare func(*pmlam.Trainer) error, look func(step int, ndcg float64) bool) error {
	started := time.Now()
	cfg = plan(cfg)
	trainer, err := pmlam.New(ctx, train, cfg.Config, workers)
	if err != nil {
		return err
	}
	inner, stop := context.WithCancel(ctx)
	defer stop()
	t.State, t.Steps = choose.Complete, []float64{}
	epochs := 0
	enter := func(e training.Epoch) (measured bool) {
		epochs = e.Number
		if measured = !math.IsNaN(e.NDCG); measured {
			t.Steps = append(t.Steps, e.NDCG)
		}
		return measured
	}
	if prepare != nil {
		if err := prepare(trainer); err != nil {
			return err
		}
	}
	for _, e := range trainer.History() {
		enter(e)
	}
	result, err := trainer.Run(inner, func(e training.Epoch) {
		if enter(e) && look != nil && look(len(t.Steps), e.NDCG) && e.Pending > 0 {
			t.State = choose.Stopped
			stop()
		}
	})
	t.Seconds = time.Since(started).Seconds()
	t.Work = float64(epochs) * float64(train.Len()) * float64(cfg.Dim)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case training.Diverged(err):
		t.State, t.NDCG, t.Note = choose.Diverged, 0, err.Error()
		return nil
	case err != nil && t.State != choose.Stopped:
		return err
	}
	switch n := len(t.Steps); {
	case t.State == choose.Stopped:
		t.NDCG, t.Epochs = t.Steps[n-1], epochs
	case cfg.Decay && n > 0:
		t.NDCG, t.Epochs = t.Steps[n-1], cfg.Epochs
	default:
		t.NDCG, t.Epochs = result.ValidationNDCG, result.Epoch
	}
	if cfg.ItemPart == choose.NoItemPart || t.State == choose.Stopped {
		return nil
	}
	// The same split as the trainer's, because it has the same seed.
	split := dataset.HoldOut(train, cfg.Validation, cfg.Seed)
	if t.Part, t.NDCG, err = choose.ChooseItemPart(ctx, result, split, &cfg, byHand, workers); err != nil {
		return err
	}
	t.Seconds = time.Since(started).Seconds()
	return nil
}

// SettingsOf returns the settings of the trial for a training on all data, with its best number of epochs.
func SettingsOf(t *choose.Trial, base choose.Settings) (choose.Settings, error) {
	c, err := choose.Apply(base, t.Values)
	c.Epochs = t.Epochs
	if t.Part != nil {
		t.Part.ApplyTo(&c)
	}
	return c, err
}

// better orders trials from the best: finished ones by figure, then stopped ones by progress and figure, then diverged
// ones; ties go to the earlier.
func better(a, b *choose.Trial) int {
	rank := map[choose.State]int{choose.Complete: 0, choose.Stopped: 1, choose.Diverged: 2}
	if c := cmp.Compare(rank[a.State], rank[b.State]); c != 0 {
		return c
	}
	if a.State == choose.Stopped {
		if c := cmp.Compare(len(b.Steps), len(a.Steps)); c != 0 {
			return c
		}
	}
	if c := cmp.Compare(b.NDCG, a.NDCG); c != 0 {
		return c
	}
	return cmp.Compare(a.Number, b.Number)
}

// Best returns the best finished trial, nil without one.
func Best(trials []choose.Trial) *choose.Trial {
	var best *choose.Trial
	for i := range trials {
		if t := &trials[i]; t.State == choose.Complete && (best == nil || better(t, best) < 0) {
			best = t
		}
	}
	return best
}

// Sorted returns the trials from the best to the worst.
func Sorted(trials []choose.Trial) []choose.Trial {
	sorted := slices.Clone(trials)
	slices.SortFunc(sorted, func(a, b choose.Trial) int { return better(&a, &b) })
	return sorted
}
