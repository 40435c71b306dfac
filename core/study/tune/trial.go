package tune

import (
	"cmp"
	"context"
	"math"
	"slices"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/study/itemlinks"
	"github.com/pmlam/pmlam/core/training"
)

// State is how a trial ended.
type State string

// The states of a trial.
const (
	Complete State = "complete"
	Stopped  State = "stopped"  // early, as it did worse than most had done by then
	Diverged State = "diverged" // a value became infinite: settings to stay away from
)

// Trial is one training with some of the settings changed, and how good it was.
type Trial struct {
	Number int               `json:"number"` // from 0
	State  State             `json:"state"`
	Values map[string]string `json:"values"` // the settings that were tried, as they stand in a settings file
	// NDCG@10 on the validation part: at the end, at the best epoch, or where it was stopped; 0 where it diverged
	NDCG float64 `json:"ndcg"`
	// that a training with these settings takes: the schedule's length, or the best epoch
	Epochs  int       `json:"epochs"`
	Steps   []float64 `json:"steps"` // NDCG@10 at each look on the way
	Work    float64   `json:"work"`  // positive pairs trained on, times the dimension: what it cost
	Seconds float64   `json:"seconds"`
	// the item-item part, where there is one; NDCG includes it
	Part *Part  `json:"part,omitempty"`
	Note string `json:"note,omitempty"` // what it was for, or why it failed

	// Of Auto's trials: the mean of the users' differences in NDCG@10 to the best settings until then, its standard
	// error, and whether the trial's settings became the best ones.
	Gain  float64 `json:"gain,omitempty"`
	Error float64 `json:"error,omitempty"`
	Taken bool    `json:"taken,omitempty"`

	// the plain method that this is no trial of, but a comparison with: Gain is how far it is ahead of the choice
	Reference string `json:"reference,omitempty"`
}

// looks is how many times a trial is measured on its way along a schedule of fixed length.
const looks = 5

// DefaultShare is the share of each user's items that the validation part takes where the settings do not say.
const DefaultShare = 0.1

// patience is how many validations without a better one end a training at a constant learning rate.
const patience = 4

// plan returns the settings that a trial trains with. At a constant learning rate the epochs are chosen by stopping
// early. A rate that falls to 0 has no epochs to choose: the schedule's length is a setting like any other, and what
// counts is its end.
func plan(c pmlam.Config) pmlam.Config {
	if c.Validation == 0 {
		c.Validation = DefaultShare
	}
	if c.Decay {
		c.Every, c.Patience = max((c.Epochs+looks-1)/looks, 1), 0
	} else if c.Patience == 0 {
		c.Patience = patience
	}
	return c
}

// run trains on train with cfg, a validation part left out, and fills in what became of it; the item-item part is
// chosen as far as it is not set by hand. prepare, if not nil, gets the training before it begins and may take it to a
// checkpoint; look, if not nil, is called for each measurement from there on, with its number from 1, and returns
// whether to stop. An error is one that ends the study: ctx, prepare's, or settings or data that nothing can be learned
// with.
func (t *Trial) run(ctx context.Context, train *dataset.Matrix, cfg pmlam.Config, byHand []string, workers int,
	prepare func(*pmlam.Trainer) error, look func(step int, ndcg float64) bool) error {
	started := time.Now()
	cfg = plan(cfg)
	trainer, err := pmlam.New(ctx, train, cfg, workers)
	if err != nil {
		return err
	}
	inner, stop := context.WithCancel(ctx)
	defer stop()
	t.State, t.Steps = Complete, []float64{}
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
			t.State = Stopped
			stop()
		}
	})
	t.Seconds = time.Since(started).Seconds()
	t.Work = float64(epochs) * float64(train.Len()) * float64(cfg.Dim)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case training.Diverged(err):
		t.State, t.NDCG, t.Note = Diverged, 0, err.Error()
		return nil
	case err != nil && t.State != Stopped:
		return err
	}
	switch n := len(t.Steps); {
	case t.State == Stopped:
		t.NDCG, t.Epochs = t.Steps[n-1], epochs
	case cfg.Decay && n > 0:
		t.NDCG, t.Epochs = t.Steps[n-1], cfg.Epochs
	default:
		t.NDCG, t.Epochs = result.ValidationNDCG, result.Epoch
	}
	if cfg.ItemPart == pmlam.NoItemPart || t.State == Stopped {
		return nil
	}
	// The same split as the trainer's, for it comes from the same seed.
	split := dataset.HoldOut(train, cfg.Validation, cfg.Seed)
	part, found, err := choosePart(ctx, result, split, recipes(&cfg, byHand, itemlinks.Recipes, cfg.ItemTop),
		cfg.ItemTop, workers)
	if err != nil {
		return err
	}
	t.Part, t.NDCG, t.Seconds = part, found.Best.NDCG, time.Since(started).Seconds()
	return nil
}

// Settings returns what to train with on all of the data, where the trial did best.
func (t *Trial) Settings(base pmlam.Config) (pmlam.Config, error) {
	c, err := With(base, t.Values)
	c.Epochs = t.Epochs
	if t.Part != nil {
		t.Part.applyTo(&c)
	}
	return c, err
}

// better orders trials from the best: finished ones by their figure, then stopped ones by how far they came and their
// figure there, then diverged ones; of equals the earlier.
func better(a, b *Trial) int {
	rank := map[State]int{Complete: 0, Stopped: 1, Diverged: 2}
	if c := cmp.Compare(rank[a.State], rank[b.State]); c != 0 {
		return c
	}
	if a.State == Stopped {
		if c := cmp.Compare(len(b.Steps), len(a.Steps)); c != 0 {
			return c
		}
	}
	if c := cmp.Compare(b.NDCG, a.NDCG); c != 0 {
		return c
	}
	return cmp.Compare(a.Number, b.Number)
}

// Best returns the best of the trials that were finished, nil where none was.
func Best(trials []Trial) *Trial {
	var best *Trial
	for i := range trials {
		if t := &trials[i]; t.State == Complete && (best == nil || better(t, best) < 0) {
			best = t
		}
	}
	return best
}

// Sorted returns the trials from the best to the worst.
func Sorted(trials []Trial) []Trial {
	sorted := slices.Clone(trials)
	slices.SortFunc(sorted, func(a, b Trial) int { return better(&a, &b) })
	return sorted
}
