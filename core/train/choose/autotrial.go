package choose

import (
	"context"
	"errors"
	"math"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/itemlinks"
	"github.com/pmlam/pmlam/core/training"
)

type auto struct {
	AutoOptions
	all       *dataset.Matrix
	parts     dataset.Split // of the sample, or of all data
	large     bool          // the data are large, so trials are short
	base      Settings
	best      Settings
	trials    []Trial
	remaining int     // trials after this one, if none helps
	spent     float64 // part of Budget, on these parts
	eager     bool    // accept any improvement, even one within chance

	// On large data.
	mostEpochs int     // of the preset, or set by hand
	starts     *starts // trainings that trials continue from; nil: each trial starts from random rows

	// Of the best settings; nil if their trial was read from the journal or made on other parts.
	users   []float32 // NDCG@10 of each user
	learned *pmlam.Result

	links   *model.ItemLinks // built by linksBy on the present parts; nil: not yet
	linksBy itemlinks.Recipe
}

// try makes a trial of cfg, which differs from the best settings by values, and adopts cfg if it helps.
func (a *auto) try(ctx context.Context, cfg Settings, values map[string]string) (taken bool, err error) {
	t := Trial{Number: len(a.trials), State: Complete, Values: values, Epochs: cfg.Epochs, Steps: []float64{}}
	if a.starts != nil {
		t.Epochs = a.starts.refine
	}
	a.spent += float64(cfg.Epochs) * float64(cfg.Dim) / (float64(a.base.Epochs) * float64(a.base.Dim))
	if old, ok := a.before(t.Number); ok {
		a.keep(cfg, old, nil, nil)
		return old.Taken, nil
	}
	if len(a.trials) > 0 && a.users == nil { // the best settings were measured on other data, or read from the journal
		if a.users, a.learned, err = a.run(ctx, a.best, &Trial{Number: -1}); err != nil {
			return false, err
		}
	}
	started := time.Now()
	users, learned, err := a.run(ctx, cfg, &t)
	switch {
	case training.Diverged(err) && t.Number > 0:
		t.State, t.Note = Diverged, err.Error()
	case err != nil:
		return false, err
	case t.Number == 0:
		t.NDCG, t.Taken = mean(users), true
	default:
		t.NDCG = mean(users)
		t.Gain, t.Error = paired(users, a.users)
		t.Taken = t.Gain > t.Error || a.eager && t.Gain > 0
	}
	t.Work = float64(t.Epochs) * float64(a.parts.Train.Len()) * float64(cfg.Dim)
	t.Seconds = time.Since(started).Seconds()
	if err := a.Journal.Add(t); err != nil {
		return false, err
	}
	a.keep(cfg, t, users, learned)
	return t.Taken, nil
}

// use makes all further trials learn from part, less a share of it for validation.
func (a *auto) use(part *dataset.Matrix, share float64) {
	a.parts, a.users, a.learned, a.spent = dataset.HoldOut(part, share, a.base.Seed), nil, nil, 0
	a.links = nil
}

// before returns the trial with that number from the journal.
func (a *auto) before(number int) (Trial, bool) {
	if a.Journal == nil || number >= len(a.Journal.Trials) {
		return Trial{}, false
	}
	return a.Journal.Trials[number], true
}

// keep records a trial of cfg and, if it is the best one, its users' NDCG and result.
func (a *auto) keep(cfg Settings, t Trial, users []float32, learned *pmlam.Result) {
	a.trials = append(a.trials, t)
	if t.Taken {
		a.best, a.users, a.learned = cfg, users, learned
	}
	a.notify(AutoEvent{Trial: t, Epoch: t.Epochs, Done: true})
}

func (a *auto) notify(e AutoEvent) {
	e.Planned = len(a.trials) + a.remaining
	if !e.Done {
		e.Planned++
	}
	if a.Report != nil && e.Trial.Number >= 0 {
		a.Report(e)
	}
}

// run trains with cfg on the training part and returns the NDCG@10 of each user of the test part. It continues from one
// of a.starts if there are any. Otherwise it runs a complete training, with as many steps as one on all of the data or,
// on large data, with the schedule for the part.
func (a *auto) run(ctx context.Context, cfg Settings, t *Trial) ([]float32, *pmlam.Result, error) {
	switch {
	case a.starts != nil:
		start, err := a.starts.of(ctx, a, cfg.Dim)
		if err != nil {
			return nil, nil, err
		}
		cfg.Epochs, cfg.Batch = a.starts.refine, a.starts.cfg.Batch
		return a.train(ctx, cfg, start, t)
	case a.large:
		cfg = a.wholeOf(cfg)
	default:
		cfg.Batch = a.batch(cfg.Batch, a.parts.Train)
	}
	return a.train(ctx, cfg, nil, t)
}

// train trains with cfg on the training part, from start unless it is nil, and returns the NDCG@10 of each user of the
// test part.
func (a *auto) train(ctx context.Context, cfg Settings, start *pmlam.Beginning, t *Trial) ([]float32,
	*pmlam.Result, error) {
	cfg.Validation = 0
	trainer, err := pmlam.New(ctx, a.parts.Train, cfg.Config, a.Workers)
	if err == nil && start != nil {
		err = trainer.Begin(start)
	}
	if err != nil {
		return nil, nil, err
	}
	trainer.Use(a.Device)
	r, err := trainer.Run(ctx, func(e training.Epoch) { a.notify(AutoEvent{Trial: *t, Epoch: e.Number}) })
	if err != nil {
		return nil, nil, err
	}
	report, err := eval.Evaluate(ctx, a.Device.Scorer(r.Users, r.Items), a.parts.Train, a.parts.Test,
		eval.Options{Ks: []int{10}, Workers: a.Workers})
	if err != nil {
		return nil, nil, err
	}
	if report.Users == 0 {
		return nil, nil, errors.New("cannot choose settings: no user has enough items for a validation part")
	}
	users, _ := report.PerUser.Values(eval.NDCG, 10)
	return users, r, nil
}

// batch scales a batch size so that an epoch on part has as many steps as an epoch on all of the data.
func (a *auto) batch(size int, part *dataset.Matrix) int {
	return max(1, int(math.Round(float64(size)*float64(part.Len())/float64(a.all.Len()))))
}

// chooseItemPart chooses the item-item part and its γ for a training with the best settings on the present parts. tops
// are the numbers of links per title to try.
func (a *auto) chooseItemPart(ctx context.Context, tops ...int) error {
	t := Trial{Number: len(a.trials), State: Complete, Epochs: a.best.Epochs, Steps: []float64{},
		Note: "the item-item part"}
	if a.large {
		t.Epochs = a.wholeOf(a.best).Epochs
	}
	a.remaining = 0
	old, ok := a.before(t.Number)
	if ok && old.Part != nil {
		t = old
	} else {
		started := time.Now()
		if a.learned == nil {
			var err error
			if a.users, a.learned, err = a.run(ctx, a.best, &t); err != nil {
				return err
			}
		}
		some, usual := recipes(&a.base, a.ByHand, a.usualRecipes(), tops...), a.base.ItemTop
		part, found, err := choosePart(ctx, a.learned, a.parts, some, usual, a.Workers)
		if err != nil {
			return err
		}
		a.links, a.linksBy = found.Part, found.Best.Recipe
		t.Part, t.NDCG, t.Gain = part, found.Best.NDCG, found.Best.NDCG-found.Base
		t.Taken, t.Seconds = part.Gamma > 0, time.Since(started).Seconds()
		if err := a.Journal.Add(t); err != nil {
			return err
		}
	}
	a.trials = append(a.trials, t)
	t.Part.ApplyTo(&a.best)
	a.notify(AutoEvent{Trial: t, Epoch: t.Epochs, Done: true})
	return nil
}

func mean(x []float32) float64 {
	var sum float64
	for _, v := range x {
		sum += float64(v)
	}
	return sum / float64(len(x))
}

// paired returns the mean of x−y and its standard error; both are 0 for fewer than two pairs.
func paired(x, y []float32) (gain, stderr float64) {
	n := float64(len(x))
	if n < 2 {
		return 0, 0
	}
	for i := range x {
		gain += float64(x[i]-y[i]) / n
	}
	for i := range x {
		d := float64(x[i]-y[i]) - gain
		stderr += d * d
	}
	return gain, math.Sqrt(stderr / (n - 1) / n)
}
