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

// Options say how a study goes. The zero value makes no trial.
type Options struct {
	Trials  int             // how many there are to be in all, those of the journal included
	MaxTime time.Duration   // no trial is begun or finished after that; 0: no limit
	Space   Space           // what is varied
	Seed    uint64          // of the sampler; the trainings' is the base's
	Workers int             // 0 or less: as many as there are processors; no result depends on it
	ByHand  []string        // settings that stay as they are: of the item-item part, which is no part of the space
	Sample  int             // train the trials on users with about so many interactions in all; 0: on all
	Journal *choose.Journal // keeps the trials, and holds those of a study that goes on; nil: they are only returned
	Report  func(Event)     // called at every measurement and the end of every trial; may be nil
}

// Event is reported at every measurement and at the end of every trial.
type Event struct {
	Trial choose.Trial // as far as it is known
	Done  bool         // the trial is over
	Best  *choose.Trial
}

// Search makes trials over o.Space around base, learning from train (U×I) less a validation part, until there are
// o.Trials of them, the time is up or ctx ends, and returns all of them in their order. The first trial is base itself,
// so the best is never worse than it, on the validation part. Trials that do worse than the median of the finished ones
// at the same step are stopped. Where ctx ended, the error wraps ctx's and the trials come with it; the end of
// o.MaxTime is no error. The trial in hand is lost in both cases.
func Search(ctx context.Context, train *dataset.Matrix, base choose.Settings, o Options) ([]choose.Trial, error) {
	if len(o.Space) == 0 {
		return nil, errors.New("there is nothing to search: all settings of the space are set by hand")
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
	// Five trials must be over before any is stopped, and of each a look is granted.
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

// states are the library's names for the states.
var states = map[choose.State]goptuna.TrialState{
	choose.Complete: goptuna.TrialStateComplete,
	choose.Stopped:  goptuna.TrialStatePruned,
	choose.Diverged: goptuna.TrialStateFail,
}

// restore hands the library a trial that was made before.
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
			return fmt.Errorf("trial %d has %s = %s, which is outside the space; begin anew in another folder",
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

// suggest returns the values of a trial. Every parameter is asked for through the library, which keeps them.
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

// errDiverged makes the library mark a trial as failed, which does not end the study.
var errDiverged = errors.New("diverged")

// next makes one trial.
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
			return 0, errors.New("nothing could be measured on the validation part; are there any users with several " +
				"items?")
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

// noLog is the library's log, which the journal takes the place of.
type noLog struct{}

func (noLog) Debug(string, ...any) {}
func (noLog) Info(string, ...any)  {}
func (noLog) Warn(string, ...any)  {}
func (noLog) Error(string, ...any) {}
