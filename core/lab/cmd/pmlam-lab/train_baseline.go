package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/lab/methods"
	"github.com/pmlam/pmlam/core/train"
	"github.com/pmlam/pmlam/core/training"
)

// baselineRun is one run of the train-baseline command.
type baselineRun struct {
	cli.Work
	cli.LongRun
	cli.Stopwatch
	spec   string // the method, as given
	method *methods.Method
	values baseline.Values // without defaults
}

func trainBaselineCommand(a *cli.App) *cobra.Command {
	var s cli.Source
	t := baselineRun{Work: cli.Work{App: a}}
	c := &cobra.Command{
		Use:   "train-baseline --method METHOD[:SETTING=X…] --data PATH [flags]",
		Short: "Train and measure a method that PMLAM is compared with",
		Long: "Train a method that PMLAM is compared with, on the training part of a split, and measure it on the\n" +
			"test part. Trainings by gradient descent keep checkpoints, stop after --max-time and on Ctrl-C, and\n" +
			"resume. \"pmlam-lab methods\" lists the methods and their settings.",
		Example: "  pmlam-lab train-baseline --data ml-latest-small --fold 0 --method ease:lambda=80\n" +
			"  pmlam-lab train-baseline --data gowalla --method lightgcn:layers=3:dim=64:epochs=300 --checkpoint " +
			"gowalla.gcn",
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			if t.spec == "" {
				return cli.Usagef("--method is needed: see \"pmlam-lab methods\"")
			}
			if t.method, t.values, err = methods.Parse(t.spec); err != nil {
				return cli.Usagef("--method: %w", err)
			}
			return t.run(c.Context(), &s)
		},
	}
	g := cli.NewGroup("Method")
	g.StringVar(&t.spec, "method", "", "a method listed by \"pmlam-lab methods\", with settings as in "+
		"lightgcn:layers=2:dim=32")
	g.Placeholder("METHOD", "method")
	cli.AddGroups(c, g, s.DataGroup(), s.SplitGroup(), t.RegisterLong(), t.Group())
	cli.CompleteSource(c)
	cli.Complete(c, "method", methods.Names()...)
	return c
}

// check refuses an invalid command line before anything is read.
func (t *baselineRun) check(s *cli.Source) error {
	if !t.method.Learned() {
		for _, name := range []string{"checkpoint", "checkpoint-every", "fresh", "max-time", "curves"} {
			if t.Flags.Changed(name) {
				return cli.Usagef("--%s applies to trainings by gradient descent; %s is computed in one step, without "+
					"epochs", name, t.method.Name)
			}
		}
	}
	if err := errors.Join(s.Check(), t.Work.Check(), t.LongRun.Check(train.Settings{}, false)); err != nil {
		return err
	}
	switch how := s.Splitting(); {
	case how == cli.NoSplit:
		return cli.Usagef("no test part to measure %s on: give --fold, --test, --by-time or --split-time",
			t.method.Name)
	case how == cli.UserSplit:
		return cli.Usagef("%s learns a row for each user and cannot rank for users outside its training: give --fold, "+
			"--test, --by-time or --split-time instead of users held out", t.method.Name)
	case how != cli.FoldSplit && s.Changed("folds"):
		return cli.Usagef("--folds sets the number of folds; choose the held-out one with --fold")
	}
	return nil
}

// baselineOutcome is the JSON object of the command, without the metrics. Its keys are the same as pmlam train's.
type baselineOutcome struct {
	Method          string             `json:"method"`
	Users           int                `json:"users"`
	Items           int                `json:"items"`
	Interactions    int                `json:"interactions"`
	Trained         int                `json:"trained_interactions"`
	Tested          int                `json:"test_interactions"`
	Digest          string             `json:"digest"` // dataset.Digest
	Skipped         int                `json:"skipped_lines"`
	Split           string             `json:"split"`
	Epochs          int                `json:"epochs"`
	BestEpoch       int                `json:"best_epoch"`
	Resumed         int                `json:"resumed_epochs"`
	Seconds         float64            `json:"seconds"`
	SecondsOf       map[string]float64 `json:"seconds_of"`
	SecondsPerEpoch float64            `json:"seconds_per_epoch"`
	Reading         cli.ReadingReport  `json:"reading"`
	Interrupted     bool               `json:"interrupted"`
	TimeOver        bool               `json:"time_over"`
	Error           string             `json:"error,omitempty"`
	Slices          []cli.FlatObject   `json:"slices,omitempty"`
	Config          baseline.Values    `json:"config"`
}

// trainedBaseline is a trained method.
type trainedBaseline struct {
	training.Outcome
	scorer eval.Scorer
	best   int // epoch of the state that was kept
}

// run trains the method on the training part of a split and measures it on the test part.
func (t *baselineRun) run(ctx context.Context, s *cli.Source) error {
	if err := t.check(s); err != nil {
		return err
	}
	checkpoints, err := t.Claim()
	if err != nil {
		return err
	}
	defer checkpoints.Close()
	t.Start()
	read := t.TimePart("reading")
	in, err := s.Read(ctx, t.App)
	read()
	if err != nil {
		return err
	}
	t.Printf("%s: %s\n", in.Name, in.Read)
	trained := t.TimePart(string(train.Keeping))
	l, err := t.train(ctx, in.Split.Train)
	trained()
	if l.scorer == nil {
		return err
	}
	o := baselineOutcome{
		Method: t.method.Name, Users: in.Users.Len(), Items: in.Items.Len(), Interactions: in.Positives.Len(),
		Trained: in.Split.Train.Len(), Tested: in.Split.Test.Len(), Digest: in.Digest(in.Split),
		Skipped: in.Read.Skipped, Split: in.SplitBy, Config: t.method.Complete(t.values),
		Epochs: l.Epochs, BestEpoch: l.best, Resumed: l.Resumed, TimeOver: l.Over,
		Reading: cli.NewReadingReport(in.Read),
	}
	if o.Epochs > 0 {
		o.SecondsPerEpoch = l.Seconds / float64(o.Epochs)
	}
	var figures map[string]float64
	if !errors.Is(err, context.Canceled) {
		measured := t.TimePart("measuring")
		report, failed := t.Evaluate(ctx, l.scorer, in.Split, nil)
		measured()
		if failed == nil {
			t.Printf("%s", report)
			figures, o.Slices = report.All(), cli.Slices(report)
		}
		err = errors.Join(err, failed)
	}
	if err != nil {
		o.Interrupted, o.Error = errors.Is(err, context.Canceled), err.Error()
	}
	o.Seconds, o.SecondsOf = t.Seconds(), t.Parts
	if t.JSON {
		if err := t.PrintJSON(cli.Flat(o, figures)); err != nil {
			return err
		}
	}
	return err
}

// train trains the method. With an error it returns the part learned so far, or nil without one.
func (t *baselineRun) train(ctx context.Context, likes *dataset.Matrix) (l trainedBaseline, err error) {
	m := t.method
	if !m.Learned() {
		began := time.Now()
		l.scorer, err = m.Fit(ctx, likes, t.values, t.Workers)
		l.Seconds = time.Since(began).Seconds()
		return l, err
	}
	until := time.Time{}
	if t.MaxTime > 0 {
		until = time.Now().Add(t.MaxTime)
	}
	trainer, err := m.Trainer(likes, t.values, t.Workers)
	if err != nil {
		return l, err
	}
	epochs := int(m.Complete(t.values)["epochs"])
	shown := cli.Watch{App: t.App, Checkpoint: t.Checkpoint != "", Describe: func(e training.Epoch) string {
		return fmt.Sprintf("epoch %d of %d: loss %.4f", e.Number, epochs, e.Figures[0])
	}}
	defer shown.Close()
	var set train.Settings
	set.Epochs = epochs
	shown.Show(train.TrainingBegan{Training: train.Training{Purpose: train.Keeping}, Settings: set, Until: until})
	trainer.Watch = func(done, all int) { shown.Show(train.BatchDone{Done: done, All: all}) }
	var scorer eval.Scorer
	l.Outcome, err = trainer.RunLong(ctx, training.Long{
		Checkpoints: training.Checkpoints{Folder: t.Checkpoint, Every: t.Every, Fresh: t.Fresh},
		Until:       until, Curves: t.CurvesFolder, Explain: cli.Explain,
		Resumed: func(r training.Resumed) { shown.Show(train.TrainingResumed{Resumed: r}) },
		Report:  func(e training.Epoch) { shown.Show(train.EpochDone{Epoch: e}) },
		Note:    func(text string) { shown.Show(train.Problem{Text: text}) },
	}, func(ctx context.Context, report func(training.Epoch)) (err error) {
		scorer, err = trainer.Run(ctx, report)
		return err
	})
	shown.Show(train.TrainingEnded{Outcome: l.Outcome, Settings: set})
	if err != nil && l.Epochs == 0 {
		return l, err
	}
	l.scorer, l.best = scorer, l.Epochs
	if best := trainer.Best(); best != nil {
		l.best = best.Epoch
	}
	return l, err
}

// listed returns all methods.
func listed() (all []baseline.Method) {
	for _, m := range methods.All() {
		all = append(all, *m.Method)
	}
	return all
}
