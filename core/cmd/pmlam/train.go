package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
)

func (a *app) trainCommand() *cobra.Command {
	var s source
	var set settings
	t := training{app: a}
	c := &cobra.Command{
		Use:   "train --data FILE --out MODEL",
		Short: "Learn a model from interactions and write it to a file",
		Long: "Learn a model from interactions and write it to a file. With a test part (--fold, --test or --by-time) the model\n" +
			"learns from the rest and its quality on the test part is printed and kept in the file. Ctrl-C ends the training\n" +
			"with the best model so far saved. The same seed gives the same file, whatever the number of workers.",
		Example: "  pmlam train --data ratings.csv --items movies.csv --out model.msgpack\n" +
			"  pmlam train --data ml-latest-small --preset paper --fold 0 --out paper.msgpack",
		Args: noArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, err := set.config()
			if err != nil {
				return err
			}
			return t.run(c.Context(), &s, cfg)
		},
	}
	f := c.Flags()
	f.SortFlags = false
	s.register(f)
	s.registerSplit(f)
	set.register(f)
	f.StringVar(&t.out, "out", "", "file to write the model to; none: the training is only measured")
	f.StringVar(&t.precision, "precision", "float16", "how the file keeps the Gaussians: float32, float16 or int8")
	f.BoolVar(&t.withUsers, "with-users", false, "keep the users' Gaussians in the file; visitors need none")
	f.BoolVar(&t.measure, "measure", false, "train on all interactions, but first on four of five folds, so that the file can state its quality")
	f.IntVar(&t.workers, "workers", 0, "goroutines; 0: as many as there are processors. The result does not depend on it")
	return c
}

// training is one run of the train command.
type training struct {
	*app
	out, precision     string
	withUsers, measure bool
	workers            int
}

// outcome is the JSON object of the train command.
type outcome struct {
	Users           int                `json:"users"`
	Items           int                `json:"items"`
	Interactions    int                `json:"interactions"`
	Trained         int                `json:"trained_interactions"`
	Split           string             `json:"split,omitempty"`
	Epochs          int                `json:"epochs"`
	BestEpoch       int                `json:"best_epoch"`
	Seconds         float64            `json:"seconds"`
	SecondsPerEpoch float64            `json:"seconds_per_epoch"`
	Metrics         map[string]float64 `json:"-"`
	Out             string             `json:"out,omitempty"`
	Interrupted     bool               `json:"interrupted"`
	Config          pmlam.Config       `json:"config"`
}

func (t *training) run(ctx context.Context, s *source, cfg pmlam.Config) error {
	precision, err := model.ParsePrecision(t.precision)
	if err != nil {
		return usageError{err}
	}
	in, err := s.read(t.app)
	if err != nil {
		return err
	}
	t.printf("%s: %s\n", in.Name, in.Read)
	if t.measure && in.split.Test != nil {
		return usagef("--measure trains on all interactions in the end; leave out --fold, --test and --by-time")
	}

	o := outcome{Users: in.Users.Len(), Items: in.Items.Len(), Interactions: in.Positives.Len(), Config: cfg, Out: t.out, Split: in.splitBy}
	if t.measure {
		split := in.Fold(s.folds, 0, s.splitSeed)
		o.Split = fmt.Sprintf("measured on fold 0 of %d, seed %d", s.folds, s.splitSeed)
		result, err := t.learn(ctx, "measuring", split.Train, cfg, &outcome{})
		if err != nil {
			return err
		}
		if o.Metrics, err = t.test(ctx, result, split); err != nil {
			return err
		}
	}
	o.Trained = in.split.Train.Len()
	result, err := t.learn(ctx, "training", in.split.Train, cfg, &o)
	interrupted := errors.Is(err, context.Canceled)
	if result == nil || err != nil && !interrupted && !errors.As(err, new(*pmlam.NonFiniteError)) {
		return err
	}
	if err != nil {
		o.Interrupted = interrupted
		t.notef("%v", err)
		if result.Epoch == 0 {
			return err // nothing was learned, so there is nothing to save
		}
	}
	if in.split.Test != nil && !interrupted {
		if o.Metrics, err = t.test(ctx, result, in.split); err != nil {
			return err
		}
	}
	if t.out != "" {
		m, err := result.Model(in.Dataset, pmlam.Export{
			Config: cfg, Precision: precision, WithUsers: t.withUsers, Metrics: o.Metrics, Program: version,
		})
		if err != nil {
			return err
		}
		if err := model.WriteFile(t.out, m); err != nil {
			return err
		}
		t.printf("wrote %s, the state after epoch %d\n", t.out, result.Epoch)
	}
	if t.json {
		if err := t.printOutcome(o); err != nil {
			return err
		}
	}
	return err
}

// learn trains and fills o's figures of time. It may return a result beside an error, see pmlam.Trainer.Run.
func (t *training) learn(ctx context.Context, what string, train *dataset.Matrix, cfg pmlam.Config, o *outcome) (*pmlam.Result, error) {
	started := time.Now()
	trainer, err := pmlam.New(ctx, train, cfg, t.workers)
	if err != nil {
		return nil, err
	}
	bar := t.stepsBar(what)
	result, err := trainer.Run(ctx, func(e pmlam.Epoch) {
		o.Epochs = e.Number
		bar.note = fmt.Sprintf("loss %.4f", e.Inner[0])
		if cfg.Margin == pmlam.Adaptive {
			bar.note += fmt.Sprintf(", margin %.3f", e.Margin)
		}
		if !math.IsNaN(e.NDCG) {
			bar.note += fmt.Sprintf(", validation NDCG@10 %.4f", e.NDCG)
		}
		bar.set(int64(e.Number), int64(cfg.Epochs))
	})
	bar.done()
	o.Seconds = time.Since(started).Seconds()
	if o.Epochs > 0 {
		o.SecondsPerEpoch = o.Seconds / float64(o.Epochs)
	}
	if result != nil {
		o.BestEpoch = result.Epoch
	}
	return result, err
}

// test measures a result on the test part of a split and prints the table.
func (t *training) test(ctx context.Context, r *pmlam.Result, split dataset.Split) (map[string]float64, error) {
	report, err := eval.Evaluate(ctx, eval.NewW2(r.Users, r.Items), split.Train, split.Test, eval.Options{Workers: t.workers})
	if err != nil {
		return nil, err
	}
	t.printf("%s", report)
	return report.Map(), nil
}

// printOutcome writes o with its metrics beside the other fields, in a fixed order.
func (t *training) printOutcome(o outcome) error {
	return t.printJSON(flat{o, o.Metrics})
}

// flat is a JSON object made of a struct's fields and, behind them, some figures by name.
type flat struct {
	fields  any
	figures map[string]float64
}

func (f flat) MarshalJSON() ([]byte, error) {
	b, err := marshal(f.fields)
	if err != nil {
		return nil, err
	}
	var s strings.Builder
	s.WriteString(strings.TrimSuffix(string(b), "}"))
	for _, k := range slices.Sorted(maps.Keys(f.figures)) {
		name, err := marshal(k)
		if err != nil {
			return nil, err
		}
		value, err := marshal(f.figures[k])
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&s, ",%s:%s", name, value)
	}
	s.WriteString("}")
	return []byte(s.String()), nil
}
