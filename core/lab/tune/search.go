package tune

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/c-bata/goptuna"
	"github.com/c-bata/goptuna/medianstopping"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Options control a study. The zero value makes no trials.
type Options struct {
	Trials  int             // total number, including those of the journal
	MaxTime time.Duration   // no trial begins or finishes after that; 0: no limit
	Space   Space           // settings to vary
	Seed    uint64          // of the sampler; trainings use the base's
	Workers int             // 0 or less: all processors; results do not depend on it
	ByHand  []string        // fixed settings of the item-item part, which the space does not include
	Sample  int             // train on users with about this many interactions in all; 0: on all
	Journal *choose.Journal // keeps the trials, including earlier ones; nil: they are only returned
	Report  func(Event)     // called at every measurement and the end of every trial; may be nil
}

// Event is reported at every measurement and at the end of every trial.
type Event struct {
	Trial choose.Trial // as far as known
	Done  bool         // the trial is over
	Best  *choose.Trial
}

// Search makes trials over o.Space around base, on train (U×I) minus a validation part, until there are o.Trials, the
// time is up or ctx ends, and returns all of them in order. The first trial is base itself, so the best is never worse
// on the validation part. Trials below the median of the finished ones at the same step are stopped. When ctx ends, the
// error wraps ctx's and comes with the trials; the end of o.MaxTime is not an error. Either way the running trial is
// lost.
func Search(ctx context.Context, train *dataset.Matrix, base choose.Settings, o Options) ([]choose.Trial, error) {
	if len(o.Space) == 0 {
		return nil, errors.New("nothing left to search: all settings of the space are fixed")
	}
	if c := plan(base); c.Validate() != nil {
		return nil, c.Validate()
	}
	s, err := newStudy(base, o)
	if err != nil {
		return nil, err
	}
	s.train = choose.Sample(train, o.Sample)
	limited := ctx
	if o.MaxTime > 0 {
		var stop context.CancelFunc
		limited, stop = context.WithTimeout(ctx, o.MaxTime)
		defer stop()
	}
	for len(s.trials) < o.Trials {
		err := s.next(limited)
		switch {
		case ctx.Err() != nil:
			return s.trials, fmt.Errorf("the search was stopped in trial %d: %w", len(s.trials), context.Cause(ctx))
		case limited.Err() != nil:
			return s.trials, nil
		case err != nil:
			return s.trials, err
		}
	}
	return s.trials, nil
}

// journalFormat is the format of a study's journal.
const journalFormat = "pmlam trials 1"

// NewHeader describes a study, for its journal.
func NewHeader(train *dataset.Matrix, base choose.Settings, o Options) choose.Header {
	var names []string
	for _, p := range o.Space {
		names = append(names, p.Name)
	}
	return choose.NewHeader(journalFormat, train, base, o.Seed, o.Sample, names...)
}

// study is one run of Search.
type study struct {
	Options
	base   choose.Settings
	train  *dataset.Matrix
	lib    *goptuna.Study
	trials []choose.Trial
}

func newStudy(base choose.Settings, o Options) (*study, error) {
	params := map[string]*Param{}
	for i := range o.Space {
		params[o.Space[i].Name] = &o.Space[i]
	}
	// At least five trials must finish before any is stopped, and each is measured at least once.
	pruner := &medianstopping.PercentilePruner{Percentile: 50, NStartUpTrials: 5, NWarmUpSteps: 1}
	lib, err := goptuna.CreateStudy("pmlam",
		goptuna.StudyOptionDirection(goptuna.StudyDirectionMaximize),
		goptuna.StudyOptionSampler(&sampler{o.Seed, params}),
		goptuna.StudyOptionPruner(pruner),
		goptuna.StudyOptionLogger(noLog{}))
	if err != nil {
		return nil, err
	}
	s := &study{Options: o, base: base, lib: lib}
	if o.Journal != nil {
		for _, t := range o.Journal.Trials {
			if err := s.restore(t); err != nil {
				return nil, err
			}
		}
	}
	if len(s.trials) == 0 {
		first := map[string]float64{}
		for i := range o.Space {
			if v, ok := o.Space[i].internal(choose.Value(&base, o.Space[i].Name)); ok {
				first[o.Space[i].Name] = v
			}
		}
		if err := lib.EnqueueTrial(first); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// states maps states to the library's.
var states = map[choose.State]goptuna.TrialState{
	choose.Complete: goptuna.TrialStateComplete,
	choose.Stopped:  goptuna.TrialStatePruned,
	choose.Diverged: goptuna.TrialStateFail,
}

// restore adds an earlier trial to the library's study.
func (s *study) restore(t choose.Trial) error {
	f := goptuna.FrozenTrial{
		State: states[t.State], Value: t.NDCG,
		IntermediateValues: map[int]float64{}, InternalParams: map[string]float64{}, Params: map[string]any{},
		Distributions: map[string]any{}, UserAttrs: map[string]string{}, SystemAttrs: map[string]string{},
		DatetimeStart: time.Now(), DatetimeComplete: time.Now(),
	}
	for i, v := range t.Steps {
		f.IntermediateValues[i+1] = v
	}
	for i := range s.Space {
		p := &s.Space[i]
		text, has := t.Values[p.Name]
		if !has {
			continue
		}
		v, ok := p.internal(text)
		if !ok {
			return fmt.Errorf("trial %d has %s = %s, which is outside the space; start again in another folder",
				t.Number, p.Name, text)
		}
		d := p.distribution()
		f.InternalParams[p.Name], f.Distributions[p.Name] = v, d
		f.Params[p.Name], _ = goptuna.ToExternalRepresentation(d, v)
	}
	if _, err := s.lib.Storage.CloneTrial(s.lib.ID, f); err != nil {
		return err
	}
	s.trials = append(s.trials, t)
	return nil
}

// suggest returns the values of a trial. It asks the library for every parameter, because the library records them.
func (s *study) suggest(t goptuna.Trial) (map[string]string, error) {
	values := map[string]string{}
	for i := range s.Space {
		p := &s.Space[i]
		if !p.active(values, &s.base) {
			continue
		}
		var v float64
		var err error
		switch d := p.distribution().(type) {
		case goptuna.IntUniformDistribution:
			var n int
			n, err = t.SuggestInt(p.Name, d.Low, d.High)
			v = float64(n)
		case goptuna.CategoricalDistribution:
			var word string
			word, err = t.SuggestCategorical(p.Name, d.Choices)
			v, _ = p.internal(word)
		case goptuna.LogUniformDistribution:
			v, err = t.SuggestLogFloat(p.Name, d.Low, d.High)
		case goptuna.UniformDistribution:
			v, err = t.SuggestFloat(p.Name, d.Low, d.High)
		}
		if err != nil {
			return nil, err
		}
		values[p.Name] = p.text(v)
	}
	return values, nil
}

// errDiverged makes the library mark a trial as failed without ending the study.
var errDiverged = errors.New("diverged")

// next makes a trial.
func (s *study) next(ctx context.Context) error {
	record := choose.Trial{Number: len(s.trials)}
	err := s.lib.Optimize(func(t goptuna.Trial) (float64, error) {
		var err error
		if record.Values, err = s.suggest(t); err != nil {
			return 0, err
		}
		cfg, err := choose.Apply(s.base, record.Values)
		if err != nil {
			return 0, err
		}
		var failed error // of the library
		err = run(ctx, &record, s.train, cfg, s.ByHand, s.Workers, nil, func(step int, ndcg float64) bool {
			s.notify(Event{Trial: record, Best: Best(s.trials)})
			verdict := t.ShouldPrune(step, ndcg)
			if verdict != nil && !errors.Is(verdict, goptuna.ErrTrialPruned) {
				failed = verdict
			}
			return verdict != nil
		})
		switch {
		case err != nil || failed != nil:
			return 0, errors.Join(err, failed)
		case record.State == choose.Diverged:
			return 0, errDiverged
		case record.State == choose.Stopped:
			return 0, goptuna.ErrTrialPruned
		case math.IsNaN(record.NDCG):
			return 0, errors.New("the validation part is empty; are there users with several items?")
		}
		return record.NDCG, nil
	}, 1)
	if err != nil && !errors.Is(err, errDiverged) {
		return err
	}
	if err := s.Journal.Add(record); err != nil {
		return err
	}
	s.trials = append(s.trials, record)
	s.notify(Event{Trial: record, Done: true, Best: Best(s.trials)})
	return nil
}

func (s *study) notify(e Event) {
	if s.Report != nil {
		s.Report(e)
	}
}

// noLog silences the library's log; the journal replaces it.
type noLog struct{}

func (noLog) Debug(string, ...any) {}
func (noLog) Info(string, ...any)  {}
func (noLog) Warn(string, ...any)  {}
func (noLog) Error(string, ...any) {}
