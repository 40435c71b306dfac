package choose

import (
	"context"
	"errors"
	"time"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/itemlinks"
	"github.com/pmlam/pmlam/core/training"
)

type auto struct {
	AutoOptions
	all        *dataset.Matrix
	train      *dataset.Matrix // that trials learn from
	visits     dataset.Split   // that trials are measured on
	base       Settings        // with the schedule for all data
	mostEpochs int             // of the preset, or set by hand
	best       Settings
	trials     []Trial
	remaining  int // trials after this one, if none helps

	// Of the best settings; nil if their trial was read from the journal.
	users   []float32     // NDCG@10 of each row of visits
	learned *pmlam.Result // of a.train
}

// try makes a trial of cfg, which differs from the best settings by values, and adopts cfg if it helps.
func (a *auto) try(ctx context.Context, cfg Settings, values map[string]string) (taken bool, err error) {
	t := Trial{Number: len(a.trials), State: Complete, Values: values, Epochs: a.onPart(cfg).Epochs,
		Steps: []float64{}}
	if old, ok := a.before(t.Number); ok {
		a.keep(cfg, old, nil, nil)
		return old.Taken, nil
	}
	if len(a.trials) > 0 && a.users == nil { // the best settings were read from the journal
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
		t.NDCG, t.Taken = itemlinks.Mean(users), true
	default:
		t.NDCG = itemlinks.Mean(users)
		t.Gain, t.Error = itemlinks.Paired(users, a.users)
		t.Taken = t.Gain > t.Error
	}
	t.Work = float64(t.Epochs) * float64(a.train.Len()) * float64(cfg.Dim)
	t.Seconds = time.Since(started).Seconds()
	if err := a.Journal.Add(t); err != nil {
		return false, err
	}
	a.keep(cfg, t, users, learned)
	return t.Taken, nil
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
	e.Planned, e.Links = len(a.trials)+a.remaining, a.choosesPart()
	if !e.Done {
		e.Planned++
	}
	if a.Report != nil && e.Trial.Number >= 0 {
		a.Report(e)
	}
}

// run makes a complete training with cfg, and returns the NDCG@10 of each visit.
func (a *auto) run(ctx context.Context, cfg Settings, t *Trial) ([]float32, *pmlam.Result, error) {
	cfg = a.onPart(cfg)
	cfg.Validation = 0
	trainer, err := pmlam.New(ctx, a.train, cfg.Config, a.Workers)
	if err != nil {
		return nil, nil, err
	}
	trainer.Use(a.Device)
	r, err := trainer.Run(ctx, func(e training.Epoch) { a.notify(AutoEvent{Trial: *t, Epoch: e.Number}) })
	if err != nil {
		return nil, nil, err
	}
	report, err := eval.Evaluate(ctx, a.Device.Scorer(a.visitors(r, cfg).Users, r.Items), a.visits.Train, a.visits.Test,
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

// visitors returns r with a row for each visit instead of each user.
func (a *auto) visitors(r *pmlam.Result, cfg Settings) *pmlam.Result {
	if a.Left == nil {
		return r
	}
	return VisitorsOf(r, a.visits.Train, cfg.Config)
}

// VisitorsOf returns r with rows composed from likes (V×I) instead of its users'. cfg must be the training's, and must
// compose users from items alone.
func VisitorsOf(r *pmlam.Result, likes *dataset.Matrix, cfg pmlam.Config) *pmlam.Result {
	v, rows := *r, make([]int, likes.Rows())
	for u := range rows {
		rows[u] = u
	}
	v.Users = gaussian.NewTable(len(rows), r.Items.Dim())
	v.Compose(rows, likes, cfg)
	return &v
}

// chooseItemPart chooses the item-item part and its γ for a training with the best settings.
func (a *auto) chooseItemPart(ctx context.Context) error {
	t := Trial{Number: len(a.trials), State: Complete, Epochs: a.onPart(a.best).Epochs, Steps: []float64{},
		Note: "the item-item part"}
	a.remaining = 0
	if old, ok := a.before(t.Number); ok && old.Part != nil {
		t = old
	} else {
		started := time.Now()
		if a.learned == nil {
			var err error
			if a.users, a.learned, err = a.run(ctx, a.best, &t); err != nil {
				return err
			}
		}
		part, found, err := ItemPartOf(ctx, a.visitors(a.learned, a.best), a.train, a.visits, &a.base, a.ByHand,
			a.Workers)
		if err != nil {
			return err
		}
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
