package main

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/lab/methods"
	"github.com/pmlam/pmlam/core/train"
	"github.com/pmlam/pmlam/core/training"
)

// other is a method to be trained in PMLAM's place.
type other struct {
	*methods.Method
	values baseline.Values // without those left at their defaults
}

// methodGroup holds the flag that asks for one.
func (t *trainRun) methodGroup() *cli.Group {
	g := cli.NewGroup("Another method")
	g.StringVar(&t.method, "method", "", "train this and not PMLAM: any that \"pmlam methods\" lists, with settings "+
		"as in ease:lambda=80. Those that PMLAM has by the same name are flags too, as --epochs, but keep the "+
		"method's defaults")
	g.Placeholder("METHOD", "method")
	return g
}

// otherMethod reads --method, and the settings that stand in flags: those of PMLAM's settings that the method has too,
// by the same name. Any other flag about PMLAM is refused, for it would do nothing.
func otherMethod(spec string, about []*cli.Group) (*other, error) {
	m, v, err := methods.Parse(spec)
	if err != nil {
		return nil, cli.Usagef("--method: %w", err)
	}
	has := func(name string) bool {
		for _, s := range m.Settings {
			if s.Name == name {
				return true
			}
		}
		return false
	}
	for _, g := range about {
		g.VisitAll(func(f *pflag.Flag) {
			switch _, twice := v[f.Name]; {
			case err != nil || !f.Changed:
			case !has(f.Name):
				err = cli.Usagef("--%s is about PMLAM, and --method trains %s, which has %s", f.Name, m.Name,
					settingsOf(m))
			case twice:
				err = cli.Usagef("%s is given by --%s and in --method; give it once", f.Name, f.Name)
			default:
				text := f.Value.String()
				if on, isBool := map[string]string{"true": "1", "false": "0"}[text]; isBool {
					text = on
				}
				v[f.Name], err = strconv.ParseFloat(text, 64) // pflag has read it as a number already
			}
		})
	}
	if err == nil {
		if failed := m.Check(v); failed != nil {
			err = cli.AsUsage(failed)
		}
	}
	return &other{m, v}, err
}

// settingsOf names a method's settings for people.
func settingsOf(m *methods.Method) string {
	if len(m.Settings) == 0 {
		return "no settings"
	}
	var names []string
	for _, s := range m.Settings {
		names = append(names, s.Name)
	}
	return "the settings " + strings.Join(names, ", ")
}

// checkOther finds what cannot be where another method is trained, before anything is read.
func (t *trainRun) checkOther(s *cli.Source, o *other) error {
	for _, name := range []string{"out", "precision", "replace", "with-users", "name", "licence", "attribution",
		"measure", "from", "item-links"} {
		if s.Changed(name) || t.Flags.Changed(name) {
			return cli.Usagef("--%s is about model files, which hold Gaussians for the page and the other commands; "+
				"%s "+
				"has none, so its figures are printed and nothing else", name, o.Name)
		}
	}
	if t.Device.Flag != "cpu" {
		return cli.Usagef("--device is about PMLAM; %s is trained on the processor", o.Name)
	}
	if !o.Learned() {
		for _, name := range []string{"checkpoint", "checkpoint-every", "fresh", "max-time", "curves"} {
			if t.Flags.Changed(name) {
				return cli.Usagef("--%s is about trainings by gradient descent; %s is computed in one step, without "+
					"epochs",
					name, o.Name)
			}
		}
	}
	if err := errors.Join(s.Check(), t.Work.Check(), t.LongRun.Check(train.Settings{}, false)); err != nil {
		return err
	}
	switch how := s.Splitting(); {
	case how == cli.NoSplit:
		return cli.Usagef("there is no test part to measure %s on: give --fold, --test, --by-time or --split-time",
			o.Name)
	case how != cli.FoldSplit && s.Changed("folds"):
		return cli.Usagef("--folds says how many folds there are; say which one is held out with --fold")
	}
	return t.rec.check()
}

// trainedOther is the result of training another method.
type trainedOther struct {
	training.Outcome
	scorer eval.Scorer
	best   int // the epoch whose state was taken
}

// runOther trains another method on one part of a split and measures it on the other.
func (t *trainRun) runOther(ctx context.Context, s *cli.Source, m *other) error {
	if err := t.checkOther(s, m); err != nil {
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
	l, err := t.trainOther(ctx, m, in.Split.Train)
	trained()
	if l.scorer == nil {
		return err
	}
	o := outcome{
		Users: in.Users.Len(), Items: in.Items.Len(), Interactions: in.Positives.Len(), Trained: in.Split.Train.Len(),
		Skipped: in.Read.Skipped, Split: in.SplitBy, Method: m.Name, Config: m.Complete(m.values),
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
			figures, o.Slices = report.All(), slicesOf(report)
			if err == nil && t.rec.file != "" {
				failed = t.rec.write(t.App, t.rec.ofBaseline(s, in, report, m.Method.Method, m.values, nil))
			}
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

// trainOther trains another method. What was learned until an error is returned with it; nil where that is nothing.
func (t *trainRun) trainOther(ctx context.Context, m *other, likes *dataset.Matrix) (l trainedOther, err error) {
	if !m.Learned() {
		began := time.Now()
		l.scorer, err = m.Fit(ctx, likes, m.values, t.Workers)
		l.Seconds = time.Since(began).Seconds()
		return l, err
	}
	until := time.Time{}
	if t.MaxTime > 0 {
		until = time.Now().Add(t.MaxTime)
	}
	trainer, err := m.Trainer(likes, m.values, t.Workers)
	if err != nil {
		return l, err
	}
	epochs := int(m.Complete(m.values)["epochs"])
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
