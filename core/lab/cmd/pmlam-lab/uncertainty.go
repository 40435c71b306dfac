package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/gaussian"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/lab/uncertainty"
	"github.com/pmlam/pmlam/core/scoring"
	"github.com/pmlam/pmlam/core/train"
	"github.com/pmlam/pmlam/core/train/calibrate"
)

// uncertaintyRun is one run of the uncertainty command.
type uncertaintyRun struct {
	cli.Work
	cli.LongRun          // without flags
	byHand      []string // settings given by flags or --config, which are not chosen
	file        string   // the model to measure; "": train models
	plots       string   // folder; "": none
	keep        string   // folder for trained models; "": none
	seeds       int      // trainings in the ensemble
	tenths      int      // tenths of the users left out in turn; 0: enough for defaultPeople
	only        []string // studies; none: all
	others      []string // models that differ from --model in their seed

	flags    *cli.Group
	settings []*cli.Group // of trainings
}

func uncertaintyCommand(a *cli.App) *cobra.Command {
	var s cli.Source
	var set cli.Settings
	u := uncertaintyRun{Work: cli.Work{App: a}}
	c := &cobra.Command{
		Use:   "uncertainty --data PATH [--model FILE] [flags]",
		Short: "Test a model's statements of its own certainty",
		Long: "Test a model's statements of its own certainty and their use: models are trained with the given\n" +
			"settings, each without some of the users, which then act as visitors (core/lab/docs/uncertainty.md).\n" +
			"The data need no split. --model measures a trained model instead, on a test part, with fewer\n" +
			"studies." + cli.PresetHelp(),
		Example:           "  pmlam-lab uncertainty --data ml-latest-small --auto=false --plots plots --json",
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
			if err := u.check(&s, c.Flags()); err != nil {
				return err
			}
			u.byHand = set.ByHand(c.Flags())
			if err := u.Device.Open(); err != nil {
				return err
			}
			defer u.Device.Close()
			if u.file != "" {
				return u.ofModel(c.Context(), &s)
			}
			return u.run(c.Context(), &s, cfg)
		},
	}
	u.settings = set.Register()
	cli.AddGroups(c, append(append([]*cli.Group{u.register(), s.DataGroup(), s.SplitGroup()}, u.settings...),
		u.Device.Register(u.Group()))...)
	cli.CompleteSource(c)
	cli.CompleteSettings(c)
	cli.Complete(c, "only", studies...)
	return c
}

// studies are the choices of --only, in the order in which they run.
var studies = []string{"coverage", "places", "candidates", "reliability", "stability", "selective", "exploration",
	"questions", "calibrators", "sigma"}

// makes reports whether a study is requested.
func (u *uncertaintyRun) makes(study string) bool {
	return len(u.only) == 0 || slices.Contains(u.only, study)
}

// defaultPeople is the number of people left out when --tenths is 0.
const defaultPeople = 500

func (u *uncertaintyRun) register() *cli.Group {
	u.flags = cli.NewGroup("Uncertainty")
	g := u.flags
	g.StringVar(&u.file, "model", "", "measure this model instead of training; fewer studies are possible")
	g.StringVar(&u.plots, "plots", "", "folder for the plots, as PNG and as SVG")
	g.IntVar(&u.seeds, "seeds", 5, "trainings that differ in their seed, to measure their disagreement")
	g.IntVar(&u.tenths, "tenths", 0, fmt.Sprintf("tenths of the users to leave out in turn, 1 to 10; "+
		"0: enough for %d people", defaultPeople))
	g.StringSliceVar(&u.others, "ensemble", nil, "models of the same data and settings with other seeds, to measure "+
		"their disagreement with --model")
	g.StringSliceVar(&u.only, "only", nil, "any of "+strings.Join(studies, ", ")+" (default: all)")
	g.StringVar(&u.keep, "keep", "", "folder for trained models; models of the same data and settings in it are "+
		"not trained again")
	g.Placeholder("FILE", "model")
	g.Placeholder("FOLDER", "plots", "keep")
	g.Placeholder("FILES", "ensemble")
	g.Placeholder("LIST", "only")
	g.Placeholder("N", "seeds", "tenths")
	g.Lookup("tenths").DefValue = "0"
	return g
}

// check refuses an invalid command line before anything is read. given has all flags.
func (u *uncertaintyRun) check(s *cli.Source, given *pflag.FlagSet) error {
	if err := errors.Join(s.Check(), u.Work.Check()); err != nil {
		return err
	}
	switch {
	case u.seeds < 1 || u.seeds > 100:
		return cli.Usagef("--seeds is %d; it must be between 1 and 100", u.seeds)
	case u.tenths < 0 || u.tenths > 10:
		return cli.Usagef("--tenths is %d; it must be between 1 and 10, or be 0", u.tenths)
	case u.file != "" && s.Splitting() == cli.NoSplit:
		return cli.Usagef("no test part: give --fold, --test, --by-time or --split-time, as at the training "+
			"of %s", u.file)
	}
	for _, name := range u.only {
		if !slices.Contains(studies, name) {
			return cli.Usagef("--only: unknown study %q; choose from %s", name, strings.Join(studies, ", "))
		}
	}
	if u.file == "" {
		if given.Changed("ensemble") {
			return cli.Usagef("--ensemble needs --model, the first of the models")
		}
		return nil
	}
	for _, name := range append(changed(u.settings...), changed(u.flags)...) {
		if name != "model" && name != "plots" && name != "ensemble" {
			return cli.Usagef("--%s applies to trainings; --model does not train", name)
		}
	}
	return nil
}

// changed returns the flags of the groups that were set.
func changed(groups ...*cli.Group) (names []string) {
	for _, g := range groups {
		g.VisitAll(func(f *pflag.Flag) {
			if f.Changed {
				names = append(names, f.Name)
			}
		})
	}
	return names
}

// run runs all studies on the data: on users left out of trainings, and on an ensemble.
func (u *uncertaintyRun) run(ctx context.Context, s *cli.Source, cfg train.Settings) error {
	in, err := s.Read(ctx, u.App)
	if err != nil {
		return err
	}
	u.Printf("%s: %s\n", in.Name, in.Read)
	if u.keep != "" {
		if err := durable.OS.MakeFolder(u.keep); err != nil {
			return fmt.Errorf("cannot create the folder for models: %w", err)
		}
	}
	split := in.Split
	if split.Test == nil {
		if split, err = s.FoldOf(ctx, u.App, in, 0); err != nil {
			return err
		}
	}
	if cfg, err = u.Choose(ctx, &u.Work, in, split.Train, cfg, u.byHand); err != nil {
		return err
	}
	r := &uncertainty.Report{Dataset: in.Name, Preset: cfg.Preset, Users: in.Users.Len(), Items: in.Items.Len()}
	d := calibrate.Data{Likes: in.Positives, Unliked: in.Unliked, Low: in.Low}
	if slices.ContainsFunc(studies[:len(studies)-2], u.makes) {
		cases, err := u.cases(ctx, in, cfg)
		if err != nil {
			return err
		}
		for _, c := range cases {
			r.People += len(c.People)
		}
		if err := u.ofPeople(ctx, r, d, cases, cfg.Seed); err != nil {
			return err
		}
	}
	if u.makes("calibrators") && d.Unliked != nil {
		folds, err := u.folds(ctx, "training", "all", in, d, cfg)
		if err == nil {
			err = u.choosePrior(ctx, d, folds, &cfg)
		}
		if err != nil {
			return err
		}
		people, err := calibrate.Open(d, folds, cfg.Seed)
		if err != nil {
			return err
		}
		if r.Calibrators, err = uncertainty.Calibrators(ctx, people, cfg.Seed, u.Workers); err != nil {
			return err
		}
	}
	if u.makes("sigma") {
		if r.Sigma, err = u.ensemble(ctx, in, split, cfg); err != nil {
			return err
		}
	}
	return u.printReport(r)
}

// ofPeople runs the studies on people left out of trainings.
func (u *uncertaintyRun) ofPeople(ctx context.Context, r *uncertainty.Report, d calibrate.Data,
	cases []uncertainty.Case, seed uint64) (err error) {
	held := make([]uncertainty.HeldOut, len(cases))
	for k, c := range cases {
		held[k] = uncertainty.HeldOut{Model: c.Model, LeftOut: c.LeftOut}
	}
	bar := u.StepsBar("measuring regions and chances", "studies")
	steps := []func() error{
		func() error { r.Coverage, err = uncertainty.Coverage(ctx, d, held, seed); return err },
		func() error { r.Places, err = uncertainty.Places(ctx, d, cases, seed, u.Workers); return err },
		func() error {
			if len(held) > 1 && held[0].Model.Objective.Loss.Kind == gaussian.Softmax {
				r.Candidates, err = uncertainty.Candidates(ctx, d, held, seed)
			}
			return err
		},
		func() error { r.Reliability, err = uncertainty.Reliability(ctx, d, cases, seed); return err },
		func() error { r.Stability, err = uncertainty.Stability(ctx, d, cases, seed); return err },
		func() error { r.Selective, err = uncertainty.Selective(ctx, d, cases, seed); return err },
	}
	for k, step := range steps {
		if !u.makes(studies[k]) {
			continue
		}
		if err := step(); err != nil {
			bar.Done()
			return err
		}
		bar.Set(int64(k+1), int64(len(steps)), "")
	}
	bar.Done()
	if u.makes("exploration") {
		bar = u.StepsBar("asking visitors", "visitors")
		r.Exploration, err = uncertainty.Explore(ctx, cases, seed, u.Workers, bar.Count)
		bar.Done()
	}
	if err == nil && u.makes("questions") {
		bar = u.StepsBar("asking about pairs", "visitors")
		r.Questions, err = uncertainty.Questions(ctx, cases, seed, u.Workers, bar.Count)
		bar.Done()
	}
	return err
}

func (u *uncertaintyRun) sigma(ctx context.Context, members []uncertainty.Trained,
	split dataset.Split) (*uncertainty.SigmaReport, error) {
	bar := u.StepsBar("measuring σ", "users")
	defer bar.Done()
	return uncertainty.Sigma(ctx, members, split, u.Workers, bar.Count)
}

// ofModel measures a trained model: the correlations of its σ on the test part of a split. If the model has no users,
// they are inferred from their training items. With --ensemble it also measures agreement with the other models.
func (u *uncertaintyRun) ofModel(ctx context.Context, s *cli.Source) error {
	m, err := cli.OpenModel(u.file)
	if err != nil {
		return err
	}
	in, err := s.Read(ctx, u.App)
	if err != nil {
		return err
	}
	r := &uncertainty.Report{Dataset: in.Name, Preset: m.Provenance.Preset, Users: in.Users.Len(),
		Items: in.Items.Len()}
	var members []uncertainty.Trained
	for _, path := range append([]string{u.file}, u.others...) {
		t, err := u.trained(ctx, path, in)
		if err != nil {
			return err
		}
		if dim := m.Items.Dim(); t.Items.Dim() != dim {
			return fmt.Errorf("%s has dimension %d and %s has %d; models of an ensemble may differ only in seed", path,
				t.Items.Dim(), u.file, dim)
		}
		members = append(members, t)
	}
	if r.Sigma, err = u.sigma(ctx, members, in.Split); err != nil {
		return err
	}
	return u.printReport(r)
}

// trained returns the rows of the model at path for the data. The model must know all items.
func (u *uncertaintyRun) trained(ctx context.Context, path string, in *cli.Input) (t uncertainty.Trained, err error) {
	m, err := cli.OpenModel(path)
	if err != nil {
		return t, err
	}
	to, missing := scoring.Numbers(m, in.Items.Strings())
	if len(missing) > 0 {
		return t, fmt.Errorf("%s does not know %d of the %d items of %s; use the training's flags (--min-item, "+
			"--min-user)", path, len(missing), in.Items.Len(), in.Name)
	}
	t.Items = scoring.Items(m, to)
	t.Users, _, err = u.Users(ctx, m, in.Dataset, scoring.Renumber(in.Split.Train, to, m.Items.Len()))
	if err != nil {
		return t, err
	}
	if m.ItemItem != nil {
		t.Part = scoring.RenumberPart(m.ItemItem, to)
	}
	return t, nil
}

// printReport prints the report and writes the plots.
func (u *uncertaintyRun) printReport(r *uncertainty.Report) error {
	u.Printf("%s", r)
	if u.plots != "" {
		for _, p := range r.Pictures() {
			paths, err := p.Write(u.plots)
			if err != nil {
				return err
			}
			u.Printf("wrote %s and %s\n", paths[0], paths[1])
		}
	}
	if u.JSON {
		return u.PrintJSON(r)
	}
	return nil
}
