package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/lab/tune"
	"github.com/pmlam/pmlam/core/train"
	"github.com/pmlam/pmlam/core/train/choose"
)

// tuneRun is one run of the tune command.
type tuneRun struct {
	cli.Work
	out     string
	trials  int
	maxTime time.Duration
	sample  int
}

func tuneCommand(a *cli.App) *cobra.Command {
	var s cli.Source
	var set cli.Settings
	t := tuneRun{Work: cli.Work{App: a}}
	c := &cobra.Command{
		Use:   "tune --data PATH --out FOLDER [flags]",
		Short: "Search for the best settings for some data, on a validation part",
		Long: "Search for the best settings for some data: many trials, each a training with other\n" +
			"settings, measured on a validation part of the training data. A test part (--fold, --test,\n" +
			"--by-time, --split-time) is left out and never used. The preset decides which settings vary; those\n" +
			"on the command line or in --config stay fixed. The folder keeps every finished trial: after Ctrl-C\n" +
			"or a crash the same command resumes." + cli.PresetHelp(),
		Example: "  pmlam-lab tune --data ml-latest-small --fold 0 --trials 40 --out tuned\n" +
			"  pmlam train --data ml-latest-small --fold 0 --config tuned/best.json\n" +
			"  pmlam-lab tune --data ratings.csv --preset best --dim 100 --max-time 2h --trials 1000 --out tuned",
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			cfg, err := set.Config(c.Flags())
			if err != nil {
				return err
			}
			if set.Print {
				return a.PrintConfig(cfg)
			}
			return t.run(c.Context(), &s, cfg, set.ByHand(c.Flags()))
		},
	}
	g := s.Add(cli.NewGroup("Search"))
	g.StringVar(&t.out, "out", "",
		"folder for the trials, the best settings and the pictures, created if missing")
	g.IntVar(&t.trials, "trials", 40, "total number of trials, including earlier ones in the folder")
	g.DurationVar(&t.maxTime, "max-time", 0, "stop after this time, such as 90m or 2h; 0: when all trials are done")
	g.IntVar(&t.sample, "sample", 0, "train on evenly chosen users with about this many interactions in all; "+
		"0: on all users")
	g.Placeholder("FOLDER", "out")
	g.Placeholder("N", "trials", "sample")
	g.Placeholder("TIME", "max-time")
	cli.AddGroups(c, append(append([]*cli.Group{s.DataGroup(), s.SplitGroup(), g}, set.Register()...), t.Group())...)
	cli.CompleteSource(c)
	cli.CompleteSettings(c)
	return c
}

func (t *tuneRun) check(s *cli.Source, cfg train.Settings, space tune.Space) error {
	switch {
	case t.out == "":
		return cli.Usagef("--out is needed: a folder for the trials and the best settings")
	case t.trials < 1:
		return cli.Usagef("--trials is %d; it must be at least 1", t.trials)
	case t.maxTime < 0:
		return cli.Usagef("--max-time is %v; it must be at least 0", t.maxTime)
	case t.sample < 0:
		return cli.Usagef("--sample is %d; it must be at least 0", t.sample)
	case cfg.Epochs < 1:
		return cli.Usagef("--epochs is %d; a trial needs at least 1", cfg.Epochs)
	case len(space) == 0:
		return cli.Usagef("nothing left to search: every setting that --preset %s varies is fixed by flags or --config",
			cfg.Preset)
	}
	if err := errors.Join(s.Check(), t.Work.Check()); err != nil {
		return err
	}
	return nil
}

func (t *tuneRun) run(ctx context.Context, s *cli.Source, cfg train.Settings, byHand []string) error {
	full, known := tune.Spaces[cfg.Preset]
	if !known {
		return cli.Usagef("--config has preset %q, which has no settings to vary; choose a preset that "+
			"--help lists", cfg.Preset)
	}
	// The search replaces the choice of settings before a training.
	cfg.Auto = false
	o := tune.Options{
		Trials: t.trials, MaxTime: t.maxTime, Space: full.Without(byHand, &cfg), ByHand: byHand, Seed: cfg.Seed,
		Workers: t.Workers, Sample: t.sample,
	}
	if err := t.check(s, cfg, o.Space); err != nil {
		return err
	}
	release, err := durable.Claim(t.out)
	if err != nil {
		return fmt.Errorf("cannot keep trials in %s: %w", t.out, err)
	}
	defer release()
	in, err := s.Read(ctx, t.App)
	if err != nil {
		return err
	}
	train := in.Split.Train
	t.Printf("%s: %s\n", in.Name, in.Read)
	if in.Split.Test != nil {
		t.Printf("%s is left out; trials learn from %d interactions minus a validation part of %g%%\n", in.SplitBy,
			train.Len(), 100*share(cfg))
	}
	if err := t.free(); err != nil {
		return err
	}
	if o.Journal, err = choose.OpenJournal(filepath.Join(t.out, "trials.jsonl"), tune.NewHeader(train, cfg,
		o)); err != nil {
		return err
	}
	defer o.Journal.Close()
	if o.Journal.Cut {
		t.Notef("removed an incomplete last line of the trials")
	}
	if n := len(o.Journal.Trials); n > 0 {
		t.Printf("%d earlier trials\n", n)
	}
	before := len(o.Journal.Trials)
	bar := t.StepsBar("tuning", "trials")
	if t.maxTime > 0 {
		bar.Until = time.Now().Add(t.maxTime)
	}
	o.Report = func(e tune.Event) {
		done := e.Trial.Number - before
		if e.Done {
			done++
		}
		bar.Set(int64(done), int64(t.trials-before), describeTrial(e))
	}
	trials, err := tune.Search(ctx, train, cfg, o)
	bar.Done()
	if len(trials) == 0 {
		return err
	}
	return errors.Join(err, t.printReport(trials, cfg, o.Space, in, err))
}

// share returns the size of the validation part as a share.
func share(cfg train.Settings) float64 {
	if cfg.Validation == 0 {
		return tune.DefaultShare
	}
	return cfg.Validation
}

// describeTrial summarises a trial in a line.
func describeTrial(e tune.Event) string {
	text := ""
	if n := len(e.Trial.Steps); n > 0 && !e.Done {
		text = fmt.Sprintf("now %.4f, ", e.Trial.Steps[n-1])
	}
	if e.Best == nil {
		return text + "none finished"
	}
	return text + fmt.Sprintf("best %.4f in trial %d", e.Best.NDCG, e.Best.Number)
}

// tuneOutput is the JSON object of the tune command.
type tuneOutput struct {
	Dataset     string            `json:"dataset"`
	Reading     cli.ReadingReport `json:"reading"`
	Made        []choose.Trial    `json:"trial_list"` // every trial, as in the folder
	Split       string            `json:"split,omitempty"`
	Trials      int               `json:"trials"`
	Complete    int               `json:"complete"`
	Stopped     int               `json:"stopped"`
	Diverged    int               `json:"diverged"`
	Best        *choose.Trial     `json:"best,omitempty"`
	Config      *train.Settings   `json:"config,omitempty"` // of the best
	Importances []importance      `json:"importances"`
	Files       map[string]string `json:"files"`
	Interrupted bool              `json:"interrupted"`
}

type importance struct {
	Name      string   `json:"name"`
	Explained float64  `json:"explained"`
	Trend     *float64 `json:"trend,omitempty"`
}

// printReport writes the result of the search to the folder and prints it. failed is the error that ended the search
// early.
func (t *tuneRun) printReport(trials []choose.Trial, cfg train.Settings, space tune.Space, in *cli.Input,
	failed error) error {
	o := tuneOutput{
		Dataset: in.Name, Reading: cli.NewReadingReport(in.Read), Made: trials, Split: in.SplitBy, Trials: len(trials),
		Best:  tune.Best(trials),
		Files: map[string]string{"trials": filepath.Join(t.out, "trials.jsonl")}, Interrupted: errors.Is(failed,
			context.Canceled),
	}
	for _, trial := range trials {
		switch trial.State {
		case choose.Complete:
			o.Complete++
		case choose.Stopped:
			o.Stopped++
		default:
			o.Diverged++
		}
	}
	t.Printf("\n%s", table(trials, space))
	t.Printf("%d trials: %d finished, %d stopped early, %d diverged\n", o.Trials, o.Complete, o.Stopped, o.Diverged)
	important := tune.Importances(space, trials)
	for _, m := range important {
		j := importance{Name: m.Name, Explained: m.Explained}
		if !math.IsNaN(m.Trend) {
			j.Trend = &m.Trend
		}
		o.Importances = append(o.Importances, j)
	}
	t.Printf("\nImportance of settings (share of the ranks' variance explained alone; rank correlation):\n%s",
		importanceTable(important))
	for _, format := range []string{"png", "svg"} {
		var b bytes.Buffer
		if err := tune.Picture(&b, format, space, trials); err != nil {
			return fmt.Errorf("drawing the trials: %w", err)
		}
		if err := t.file(&o, format, "trials."+format, b.Bytes()); err != nil {
			return err
		}
	}
	if o.Best != nil {
		c, err := tune.SettingsOf(o.Best, cfg)
		if err != nil {
			return err
		}
		o.Config = &c
		b, err := json.MarshalIndent(c, "", "  ")
		if err != nil {
			return err
		}
		if err := t.file(&o, "config", "best.json", append(b, '\n')); err != nil {
			return err
		}
		t.Printf("\nthe best settings are in %s, for --config; the picture is %s\n", o.Files["config"], o.Files["png"])
	}
	if t.JSON {
		return t.PrintJSON(o)
	}
	return nil
}

// free returns an error if files would be overwritten that do not belong to earlier trials.
func (t *tuneRun) free() error {
	if _, err := os.Lstat(filepath.Join(t.out, "trials.jsonl")); err == nil {
		return nil // OpenJournal checks it
	}
	for _, name := range []string{"best.json", "trials.png", "trials.svg"} {
		if _, err := os.Lstat(filepath.Join(t.out, name)); err == nil {
			return fmt.Errorf("%s has a file %s but no trials, so it would be lost: name another folder", t.out, name)
		}
	}
	return nil
}

// file writes a file of the folder atomically.
func (t *tuneRun) file(o *tuneOutput, key, name string, b []byte) error {
	path := filepath.Join(t.out, name)
	err := durable.WriteFile(durable.OS, path, func(w io.Writer) error {
		_, err := w.Write(b)
		return err
	})
	if err != nil {
		return err
	}
	o.Files[key] = path
	return nil
}

// shown is the number of trials in the table.
const shown = 10

// table lists the best trials and their settings.
func table(trials []choose.Trial, space tune.Space) string {
	sorted := tune.Sorted(trials)
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(w, "trial\tndcg@10\tepochs\t")
	for _, p := range space {
		if p.Name != "epochs" {
			fmt.Fprintf(w, "%s\t", p.Name)
		}
	}
	fmt.Fprintln(w)
	for _, t := range sorted[:min(len(sorted), shown)] {
		quality := fmt.Sprintf("%.4f", t.NDCG)
		if t.State != choose.Complete {
			quality = string(t.State)
		}
		fmt.Fprintf(w, "%d\t%s\t%d\t", t.Number, quality, t.Epochs)
		for _, p := range space {
			if p.Name != "epochs" {
				value, ok := t.Values[p.Name]
				if !ok {
					value = "-"
				}
				fmt.Fprintf(w, "%s\t", value)
			}
		}
		fmt.Fprintln(w)
	}
	w.Flush()
	return b.String()
}

func importanceTable(all []tune.Importance) string {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, m := range all {
		trend := ""
		if !math.IsNaN(m.Trend) {
			trend = fmt.Sprintf("%+.2f", m.Trend)
		}
		fmt.Fprintf(w, "  %s\t%.0f%%\t%s\n", m.Name, 100*m.Explained, trend)
	}
	w.Flush()
	return b.String()
}
