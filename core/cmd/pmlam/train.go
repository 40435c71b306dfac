package main

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/coldstart"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/siteconfig"
	"github.com/pmlam/pmlam/core/train"
	"github.com/pmlam/pmlam/core/train/choose"
	"github.com/pmlam/pmlam/core/train/itemlinks"
)

func trainCommand(a *cli.App) *cobra.Command { return trainCommandOf(a, nil) }

// trainCommandOf returns the command for a project. If it is nil, the command reads --project, if that file exists.
func trainCommandOf(a *cli.App, p *siteconfig.Project) *cobra.Command {
	var s cli.Source
	var set cli.Settings
	t := trainRun{Work: cli.Work{App: a}}
	c := &cobra.Command{
		Use:   "train [--data PATH] [--out FILE] [flags]",
		Short: "Learn a model from interactions and write it to a file",
		Long: "Learn a model from interactions and write it to a file. With a test part (--fold, --test,\n" +
			"--by-time or --split-time) the model learns from the rest, and its quality on the test part is\n" +
			"printed and stored in the file. Ctrl-C ends the training and saves the best model so far, without\n" +
			"replacing an existing one; with --checkpoint the same command resumes it. The same seed gives the\n" +
			"same file, for any number of workers and interruptions.\n\n" +
			"Without --data, the settings are read from pmlam.toml in this folder, which \"pmlam init\" writes;\n" +
			"flags override it. --refresh updates an existing model with newer data in a tenth of the time and\n" +
			"changes little of its file (docs/refresh.md). With --cold-items and --items alone nothing is trained:\n" +
			"the model is made from the catalogue." + cli.PresetHelp(),
		Example: "  pmlam train --data ratings.csv --items movies.csv --out model.msgpack\n" +
			"  pmlam train --items movies.csv --cold-items --out no-ratings-yet.msgpack\n" +
			"  pmlam train --data ml-latest-small --preset paper --fold 0 --out paper.msgpack\n" +
			"  pmlam train --data gowalla --epochs 20 --checkpoint gowalla.run --curves gowalla.run --out " +
			"gowalla.msgpack\n" +
			"  pmlam train --data newer.csv --from model.msgpack --epochs 5 --out newer.msgpack\n" +
			"  pmlam train --data newer.csv --refresh --out model.msgpack",
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			if t.refresh {
				if err := checkRefresh(c.Flags(), set.ByHand(c.Flags())); err != nil {
					return err
				}
			}
			if p != nil {
				s.PrintsReading = true // the caller has
				if err := applyProject(c, &s, p, siteconfig.Name); err != nil {
					return err
				}
			} else if !set.Print {
				if err := fromProject(a, c, &s); err != nil {
					return err
				}
			}
			if t.refresh {
				return t.runRefresh(c.Context(), &s)
			}
			if t.coldItems && s.Data == "" {
				return t.runAlone(c.Context(), &s, set.ByHand(c.Flags()))
			}
			if err := t.Open(&set); err != nil {
				return err
			}
			cfg, err := set.Config(c.Flags())
			if err != nil {
				return err
			}
			if set.Print {
				return a.PrintConfig(cfg)
			}
			t.byHand = set.ByHand(c.Flags())
			return t.run(c.Context(), &s, cfg)
		},
	}
	file := s.Add(cli.NewGroup("Model file"))
	file.String("project", siteconfig.Name, "project file to read flags from, if --data is not given")
	file.StringVar(&t.out, "out", "", "file to write the model to; without it the model is only measured")
	file.StringVar(&t.precision, "precision", "float16", "precision of the Gaussians in the file: float32, float16 "+
		"or int8")
	file.BoolVar(&t.replace, "replace", false, "let an unfinished model replace an existing one; without it, it is "+
		"written to FILE.stopped")
	file.BoolVar(&t.withUsers, "with-users", false, "store the users' Gaussians in the file; visitors do not need them")
	file.BoolVar(&t.coldItems, "cold-items", false, "also add catalogue items with too few likes, placed by their "+
		"features")
	shareFlag(file, &t.coldShare)
	file.BoolVar(&t.again, "again", false, "lists by recent items may have these items too, as for goods that people "+
		"buy again; without the flag, the repeats in the data decide")
	file.Lookup("again").DefValue = ""
	file.BoolVar(&t.refresh, "refresh", false, "update the model of --from, or of --out: retrain only the rows that "+
		"changed most")
	file.BoolVar(&t.measure, "measure", false, "train on all interactions, but first without one of the --folds, to "+
		"state the model's quality in the file")
	file.StringVar(&t.itemLinks, "item-links", "", "read the item-item links from this folder, written by "+
		"\"pmlam-batch links\", instead of finding them; needs --auto=false and --calibrate=false")
	file.Placeholder("FILE", "out", "project")
	file.Placeholder("WORD", "precision")
	file.Placeholder("FOLDER", "item-links")
	s.PublishFlag(file)
	s.AboutFlags(file)
	cli.AddGroups(c, append(append([]*cli.Group{s.DataGroup(), s.SplitGroup(), file, t.LongRun.Register()},
		set.Register()...), t.Device.Register(t.Group()))...)
	cli.CompleteSource(c)
	cli.CompleteSettings(c)
	return c
}

// trainRun is one run of the train command.
type trainRun struct {
	cli.Work
	cli.LongRun
	out, precision     string
	withUsers, measure bool
	coldItems          bool
	coldShare          float64 // as coldstart.Items'
	again              bool
	refresh            bool
	replace            bool     // by a training that was stopped
	byHand             []string // not to be chosen
	itemLinks          string   // folder of the item-item links; "": find them
	cli.Stopwatch
}

// outcome is the JSON object of the train command, without the metrics.
type outcome struct {
	Users        int     `json:"users"`
	Items        int     `json:"items"`
	Interactions int     `json:"interactions"`
	Trained      int     `json:"trained_interactions"`        // without the test part
	Tested       int     `json:"test_interactions,omitempty"` // the measured part
	Digest       string  `json:"digest,omitempty"`            // of ids and both parts of the split
	Skipped      int     `json:"skipped_lines"`
	Split        string  `json:"split,omitempty"`
	Epochs       int     `json:"epochs"`         // trained epochs
	BestEpoch    int     `json:"best_epoch"`     // the epoch whose state was taken
	Resumed      int     `json:"resumed_epochs"` // of Epochs, those before this run
	Seconds      float64 `json:"seconds"`        // of this run
	// its parts: reading, choosing, measuring, training, laying out, calibrating
	SecondsOf       map[string]float64 `json:"seconds_of"`
	SecondsPerEpoch float64            `json:"seconds_per_epoch"` // of all epochs, validations included
	Reading         cli.ReadingReport  `json:"reading"`
	Unlearned       int                `json:"unlearned_items"` // of the catalogue, with too few likes
	Cold            *coldstart.Report  `json:"cold,omitempty"`  // what --cold-items did with them
	Out             string             `json:"out,omitempty"`
	Interrupted     bool               `json:"interrupted"`
	TimeOver        bool               `json:"time_over"`        // ended by --max-time
	Error           string             `json:"error,omitempty"`  // the reason for an early end
	Slices          []cli.FlatObject   `json:"slices,omitempty"` // as evaluate --json has them
	Config          train.Settings     `json:"config"`
}

// maxFloat16 is the largest finite float16.
const maxFloat16 = 65504

// check reports wrong flags before anything is read.
func (t *trainRun) check(s *cli.Source, cfg train.Settings) error {
	share := checkShare(t.coldShare)
	if err := errors.Join(s.Check(), t.Work.Check(), share, t.LongRun.Check(cfg, t.measure)); err != nil {
		return err
	}
	precision, err := model.ParsePrecision(t.precision)
	switch {
	case err != nil:
		return cli.Usagef("--precision: %w", err)
	case t.out != "" && precision == model.Float16 && cfg.Radius > maxFloat16:
		return cli.Usagef("--radius is %g, but float16 holds numbers up to %d; pass --precision float32", cfg.Radius,
			maxFloat16)
	case cfg.Epochs == 0 && t.Origin == nil:
		return cli.Usagef("--epochs is 0; it must be 1 or more without --from")
	case t.measure && s.Splitting() != cli.NoSplit:
		how := s.Splitting()
		if s.Test == "" && how == cli.FixedSplit || how == cli.UserSplit && !s.Changed("by-user") {
			return cli.Usagef("--measure needs data without a test part, but %s has one", s.Data)
		}
		return cli.Usagef("--measure trains on all interactions; leave out --fold, --test, --by-time, " +
			"--split-time and --by-user")
	case s.Changed("folds") && !t.measure && s.Splitting() != cli.FoldSplit:
		return cli.Usagef("--folds needs --fold, the number of the fold to hold out")
	case t.itemLinks != "" && (cfg.Auto || cfg.Calibrate || t.measure):
		return cli.Usagef("--item-links needs --auto=false and --calibrate=false, and excludes --measure: the links " +
			"were found on all training data, with fixed settings")
	case t.itemLinks != "" && cfg.ItemPart == choose.NoItemPart:
		return cli.Usagef("--item-links needs item-item links in the settings: --item-part ridge")
	case t.out == "":
		for _, flag := range []string{"precision", "replace", "with-users", "cold-items", "again", "name", "licence",
			"attribution", "columns"} {
			if s.Changed(flag) {
				return cli.Usagef("--%s needs --out, the model file", flag)
			}
		}
	}
	if t.out == "" {
		return nil
	}
	return t.writable()
}

func (t *trainRun) run(ctx context.Context, s *cli.Source, cfg train.Settings) error {
	if err := t.check(s, cfg); err != nil {
		return err
	}
	checkpoints, err := t.Claim()
	if err != nil {
		return err
	}
	defer checkpoints.Close()
	if err := t.Device.Open(); err != nil {
		return err
	}
	defer t.Device.Close()
	in, err := t.read(ctx, s, cfg)
	if err != nil {
		return err
	}
	options, shown := t.Options(&t.Work, checkpoints)
	o, err := t.prepare(ctx, s, in, cfg, &options)
	if err != nil {
		return err
	}
	m, report, err := train.Run(ctx, in.Dataset, options)
	shown.Close()
	err = cli.Worded(err, t.Checkpoint != "")
	if report == nil {
		return err
	}
	if m != nil {
		if err == nil && t.coldItems {
			t.noteCold(in, options.Cold, report.Cold)
		}
		o.Out, err = t.save(m, report, err)
	}
	o.take(report)
	maps.Copy(t.Parts, report.SecondsOf)
	o.Seconds, o.SecondsOf = t.Seconds(), t.Parts
	if err != nil {
		o.Interrupted, o.Error = errors.Is(err, context.Canceled), err.Error()
	}
	if t.JSON {
		var figures map[string]float64
		if in.Split.Test != nil {
			o.Tested, o.Digest = in.Split.Test.Len(), in.Digest(in.Split)
		}
		if report.Quality != nil {
			figures = report.Quality.All()
		}
		if err := t.PrintJSON(cli.Flat(o, figures)); err != nil {
			return err
		}
	}
	return err
}

// read reads the data and prints notes on them.
func (t *trainRun) read(ctx context.Context, s *cli.Source, cfg train.Settings) (*cli.Input, error) {
	t.Start()
	read := t.TimePart("reading")
	in, err := s.Read(ctx, t.App)
	read()
	if err != nil {
		return nil, err
	}
	if t.withUsers {
		if err := in.CheckUsers(); err != nil {
			return nil, fmt.Errorf("%w; leave out --with-users", err)
		}
	}
	t.Printf("%s: %s\n", in.Name, in.Read)
	if u := in.ByUser; u != nil {
		t.Printf("%s: trains on the others; \"pmlam evaluate\" measures the model on the held-out users\n", in.SplitBy)
		in.Dataset = in.TrainingUsers(*u)
		in.Split.Train = in.Positives
	}
	t.PrintBeginning(t.App, in, cfg)
	if width := 2 * max(cfg.Radius, 1); cfg.LearnRate > width {
		t.Notef("--lr is %g: a step can move a row beyond the ball's width of %g, so little is learned",
			cfg.LearnRate, width)
	}
	if n := in.Read.Others; n > 0 && !t.coldItems {
		t.Printf("%d catalogue items have too few likes and are left out; --cold-items adds them\n", n)
	}
	if t.out == "" {
		t.Notef("without --out the model is not saved")
	}
	return in, nil
}

// prepare fills in the training's options, and returns the part of the outcome that is known before it.
func (t *trainRun) prepare(ctx context.Context, s *cli.Source, in *cli.Input, cfg train.Settings,
	options *train.Options) (o outcome, err error) {
	o = outcome{
		Users: in.Users.Len(), Items: in.Items.Len(), Interactions: in.Positives.Len(),
		Skipped: in.Read.Skipped, Unlearned: in.Read.Others, Split: in.SplitBy,
		Reading: cli.NewReadingReport(in.Read),
	}
	options.Settings, options.ByHand, options.Split = cfg, t.byHand, in.Split
	options.NoModel, options.Precision, options.WithUsers = t.out == "", t.precision, t.withUsers
	if s.Changed("again") {
		options.Again = &t.again
	}
	if options.Links, err = t.readLinks(in, &cfg); err != nil {
		return o, err
	}
	if t.measure {
		o.Split = "measured on " + s.FoldName(0)
		if options.Measure, err = s.FoldOf(ctx, t.App, in, 0); err != nil {
			return o, err
		}
	}
	options.Cold, err = t.readCold(in)
	return o, err
}

// take adds the training's report.
func (o *outcome) take(r *train.Report) {
	o.Config, o.Cold = r.Settings, r.Cold
	o.Trained, o.Epochs, o.BestEpoch, o.Resumed, o.TimeOver = r.Trained, r.Epochs, r.BestEpoch, r.Resumed, r.TimeOver
	if r.Epochs > 0 {
		o.SecondsPerEpoch = r.Seconds / float64(r.Epochs)
	}
	if r.Quality != nil {
		o.Slices = cli.Slices(r.Quality)
	}
}

// readLinks reads the item-item links of --item-links; nil: to be found.
func (t *trainRun) readLinks(in *cli.Input, cfg *train.Settings) (*model.ItemLinks, error) {
	if t.itemLinks == "" {
		return nil, nil
	}
	links, err := itemlinks.ReadFolder(t.itemLinks, in.Items, in.Split.Train.Len(), choose.Recipe(cfg))
	if err != nil {
		return nil, err
	}
	links.Gamma = float32(cfg.ItemWeight)
	t.Printf("%s: %d links\n", t.itemLinks, links.Links())
	return links, nil
}

// readCold reads the items of --cold-items; nil: none.
func (t *trainRun) readCold(in *cli.Input) (*coldstart.Items, error) {
	if !t.coldItems || in.Read.Others == 0 {
		return nil, nil
	}
	about, _, err := loadItems(in.Read.Titles, in.Options)
	about.Share = t.coldShare
	return &about, err
}

// noteCold reports the items added.
func (t *trainRun) noteCold(in *cli.Input, about *coldstart.Items, r *coldstart.Report) {
	if about == nil {
		t.Notef("no items to add: all items of the catalogue have likes, or there is no catalogue")
		return
	}
	noteColumns(t.App, in.Catalogue, about.Catalogue)
	t.Printf("%s", addedLines(r))
}
