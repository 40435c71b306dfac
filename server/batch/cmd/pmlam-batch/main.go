// Command pmlam-batch prepares, splits, compares and ranks interactions that exceed one machine, on a runner of Apache
// Beam.
//
//	pmlam-batch prepare --data ratings/ --out shards
//	pmlam-batch split --from shards --fold 0 --out fold0
//	pmlam-batch neighbours --from fold0 -k 20 --out near
//	pmlam-batch links --from fold0 --out links
//	pmlam-batch rank --from fold0 --model fold0.msgpack -k 20 --evaluate 10,20 --out lists
//
// Without --runner it runs on this machine. All of Beam's flags are passed through; docs/batch.md has the command
// lines. With --worker or --provision_endpoint, as a runner starts it, it is a worker.
//
// Exit codes: 0 done, 1 with an error on standard error.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"syscall"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/log"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/options/jobopts"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/runners"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/x/beamx"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/pmlam/pmlam/core/brief"
	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/train/choose"
	"github.com/pmlam/pmlam/core/train/itemlinks"
	"github.com/pmlam/pmlam/server/batch"
)

func main() {
	if err := serve(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "pmlam-batch:", err)
		os.Exit(1)
	}
	if err := flag.CommandLine.Parse(nil); err != nil { // Beam checks that flags were parsed; cobra sets the values
		panic(err) // not reached: no arguments
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	context.AfterFunc(ctx, stop) // a second signal ends the program at once
	if err := newRoot(run).ExecuteContext(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "pmlam-batch:", brief.Message(err.Error()))
		os.Exit(1)
	}
}

// run runs a pipeline on the chosen runner. The default, Prism, has its workers in this process. Other workers run this
// program, unless --worker_binary names another. Beam's temporary files are in a folder of their own, because it leaves
// one of each job behind.
func run(ctx context.Context, p *beam.Pipeline) (err error) {
	folder, err := os.MkdirTemp("", "pmlam-batch-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	before := os.Getenv("TMPDIR")
	os.Setenv("TMPDIR", folder)
	defer os.Setenv("TMPDIR", before)
	if name := *runners.Runner; (name == "" || name == "prism") && *jobopts.Endpoint == "" {
		return batch.Watch(beamx.Run)(ctx, p)
	}
	if err := batch.WatchWorkers(); err != nil {
		return err
	}
	if *jobopts.WorkerBinary == "" {
		if *jobopts.WorkerBinary, err = os.Executable(); err != nil {
			return err
		}
	}
	return beamx.Run(ctx, p)
}

// newRoot returns the command; run runs its pipelines.
func newRoot(run batch.Runner) *cobra.Command {
	var verbose bool
	root := &cobra.Command{
		Use: "pmlam-batch", Short: "Interactions that exceed one machine, on Apache Beam",
		SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
		PersistentPreRun: func(*cobra.Command, []string) {
			if !verbose {
				slog.SetDefault(slog.New(slog.NewTextHandler(io.Discard, nil)))
				log.LogLevel = "error" // for Prism and the universal runner
				log.SetLogger(quiet{})
			}
			beam.Init()
		},
	}
	root.PersistentFlags().AddGoFlagSet(flag.CommandLine)
	root.PersistentFlags().BoolVar(&verbose, "verbose", false, "show messages of Beam and the runner")
	root.AddCommand(prepareCommand(run), splitCommand(run), neighboursCommand(run), linksCommand(run),
		rankCommand(run))
	return root
}

// quiet hides the runner's messages below errors.
type quiet struct{}

func (quiet) Log(_ context.Context, severity log.Severity, _ int, message string) {
	if severity >= log.SevError {
		fmt.Fprintln(os.Stderr, message)
	}
}

// need marks flags as required.
func need(c *cobra.Command, flags ...string) *cobra.Command {
	for _, name := range flags {
		if err := c.MarkFlagRequired(name); err != nil {
			panic(err) // not reached: the flag is defined above
		}
	}
	return c
}

func prepareCommand(run batch.Runner) *cobra.Command {
	p := batch.Preparation{Run: run}
	var minRating float64
	var splitTime string
	var header, noHeader bool
	c := &cobra.Command{
		Use: "prepare --data PATH … --out FOLDER", Args: cobra.NoArgs,
		Short: "Read, filter to the fixed point, number, and write a folder of shards that pmlam reads",
	}
	f := c.Flags()
	f.StringArrayVar(&p.Data, "data", nil, "a file or folder in a format of pmlam train; repeatable, in this order")
	f.StringVar(&p.Out, "out", "", "the folder to write; must not exist")
	f.StringVar(&p.Reading.Format, "format", "", "the format, if it is not recognised")
	f.StringVar(&p.Reading.Columns.User, "user-column", "", "the users' column, by name or by number from 1")
	f.StringVar(&p.Reading.Columns.Item, "item-column", "", "the items' column")
	f.StringVar(&p.Reading.Columns.Rating, "rating-column", "", "the ratings' column; - for none")
	f.StringVar(&p.Reading.Columns.Time, "time-column", "", "the times' column; - for none")
	f.StringVar(&p.Reading.Delimiter, "delimiter", "", "the separator of columns, if it is not recognised")
	f.BoolVar(&header, "header", false, "files begin with a line of column names")
	f.BoolVar(&noHeader, "no-header", false, "files have no line of column names")
	f.Float64Var(&minRating, "min-rating", 0, "smallest rating that counts as a like (default: the one in a folder of "+
		"shards, else 80% of the scale)")
	f.IntVar(&p.Reading.MinUser, "min-user", dataset.StandardMinUser, "minimum likes of a user; with --split-time "+
		"0 by default, and counted in the training part")
	f.IntVar(&p.Reading.MinItem, "min-item", dataset.StandardMinItem, "minimum likes of an item, likewise")
	f.StringVar(&splitTime, "split-time", "", "write a training and a test part, split like pmlam train --split-time: "+
		"at a time, such as 2018-05-01, or at a share of test likes, such as 0.2")
	f.BoolVar(&p.Reading.SkipBadLines, "skip-bad-lines", false, "skip unreadable lines, count them and "+
		"list them in quarantine-*.jsonl")
	f.IntVar(&p.Shards, "shards", 16, "maximum number of user shards")
	f.IntVar(&p.Rounds, "rounds", 4, "filter rounds per pipeline; more pipelines follow as needed")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if c.Flags().Changed("min-rating") {
			p.Reading.MinRating = &minRating
		}
		switch {
		case header && noHeader:
			return fmt.Errorf("--header and --no-header exclude each other")
		case header:
			p.Reading.Header = dataset.HeaderYes
		case noHeader:
			p.Reading.Header = dataset.HeaderNo
		}
		if c.Flags().Changed("split-time") {
			at, err := dataset.ParseCut(splitTime)
			if err != nil {
				return fmt.Errorf("--split-time is %w", err)
			}
			p.At = &at
		}
		// In the options 0 means the default, which is no minimum for a split at a moment; in the flags 0 means no
		// minimum.
		for flag, least := range map[string]*int{"min-user": &p.Reading.MinUser, "min-item": &p.Reading.MinItem} {
			switch {
			case p.At != nil && !c.Flags().Changed(flag):
				*least = 0
			case *least == 0:
				*least = -1
			}
		}
		done, err := batch.Prepare(c.Context(), p)
		if err != nil {
			return err
		}
		out := c.OutOrStdout()
		fmt.Fprintln(out, done.Report)
		done.Stats.Name = p.Out
		fmt.Fprint(out, done.Stats)
		fmt.Fprintf(out, "Users have %d to %d likes, %g in the median; items have %d to %d, %g in the median.\n",
			done.Stats.PerUser.Least, done.Stats.PerUser.Most, done.Stats.PerUser.Median, done.Stats.PerItem.Least,
			done.Stats.PerItem.Most, done.Stats.PerItem.Median)
		if p.At != nil {
			fmt.Fprintf(out, "Split at %s: %d likes for training and %d for testing.\n",
				dataset.FormatMoment(done.Moment), done.Stats.Interactions-done.Tested, done.Tested)
		}
		for _, path := range done.Quarantine {
			fmt.Fprintln(out, "Unreadable lines:", path)
		}
		return nil
	}
	return need(c, "data", "out")
}

func splitCommand(run batch.Runner) *cobra.Command {
	var from, to string
	var by batch.SplitBy
	var folds int
	c := &cobra.Command{
		Use: "split --from FOLDER --out FOLDER (--fold N | --by-time SHARE)", Args: cobra.NoArgs,
		Short: "Split a folder of shards into a training and a test part",
	}
	f := c.Flags()
	f.StringVar(&from, "from", "", "a folder written by prepare")
	f.StringVar(&to, "out", "", "the folder to write; must not exist")
	f.IntVar(&by.Fold, "fold", 0, "hold out this fold of each user's items, from 0")
	f.IntVar(&folds, "folds", 5, "number of folds")
	f.Uint64Var(&by.Seed, "split-seed", 1, "seed of the folds")
	f.Float64Var(&by.Latest, "by-time", 0, "hold out the latest share of each user's items, such as 0.2")
	c.RunE = func(c *cobra.Command, _ []string) error {
		if c.Flags().Changed("fold") {
			by.Folds = folds
		}
		return batch.Split(c.Context(), run, from, to, by)
	}
	return need(c, "from", "out")
}

func neighboursCommand(run batch.Runner) *cobra.Command {
	var from, to string
	var k, shards int
	var count batch.Counting
	c := &cobra.Command{
		Use: "neighbours --from FOLDER --out FOLDER", Args: cobra.NoArgs,
		Short: "Find the nearest items of each item, by the cosine of their users in the training part",
		RunE: func(c *cobra.Command, _ []string) error {
			return batch.Neighbours(c.Context(), run, from, to, k, shards, count)
		},
	}
	f := c.Flags()
	f.StringVar(&from, "from", "", "a folder written by prepare or split")
	f.StringVar(&to, "out", "", "the folder to write; must not exist")
	f.IntVarP(&k, "number", "k", 20, "number of neighbours per item")
	f.IntVar(&shards, "shards", 16, "maximum number of files")
	countingFlag(f, &count)
	return need(c, "from", "out")
}

// countingFlag adds the flag of a Counting.
func countingFlag(f *pflag.FlagSet, c *batch.Counting) {
	f.IntVar(&c.Most, "user-likes", 0, "count at most this many likes of a user, drawn at random; 0 means all")
}

func linksCommand(run batch.Runner) *cobra.Command {
	var from, to string
	var shards int
	var count batch.Counting
	preset, err := choose.Preset("hybrid")
	if err != nil {
		panic(err) // not reached: the flag exists
	}
	r := itemlinks.Recipe{Kind: itemlinks.ByRidge}
	c := &cobra.Command{
		Use: "links --from FOLDER --out FOLDER", Args: cobra.NoArgs,
		Short: "Find the item-item part of the preset hybrid in the training part, for pmlam train --item-links",
		RunE: func(c *cobra.Command, _ []string) error {
			return batch.Links(c.Context(), run, from, to, r, shards, count)
		},
	}
	f := c.Flags()
	f.StringVar(&from, "from", "", "a folder written by prepare or split")
	f.StringVar(&to, "out", "", "the folder to write; must not exist")
	f.IntVar(&r.Top, "item-top", preset.ItemTop, "sources to keep per item, as in pmlam train")
	f.IntVar(&r.Pool, "item-pool", preset.ItemPool, "candidate sources per item; 0 means --item-top")
	f.Float64Var(&r.Lambda, "item-lambda", preset.ItemLambda, "the regulariser")
	f.Float64Var(&r.Dropout, "item-dropout", preset.ItemDropout, "the dropout, from 0 to below 1")
	f.IntVar(&shards, "shards", 16, "maximum number of files")
	countingFlag(f, &count)
	return need(c, "from", "out")
}

func rankCommand(run batch.Runner) *cobra.Command {
	r := batch.Ranking{Run: run}
	c := &cobra.Command{
		Use: "rank --from FOLDER --model FILE --out FOLDER", Args: cobra.NoArgs,
		Short: "Rank the best items of each user by a model file, and evaluate it on the test part",
		RunE: func(c *cobra.Command, _ []string) error {
			report, err := batch.Rank(c.Context(), r)
			if err == nil && report != nil {
				fmt.Fprint(c.OutOrStdout(), report)
			}
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&r.Folder, "from", "", "a folder written by prepare or split")
	f.StringVar(&r.Model, "model", "", "the model file")
	f.StringVar(&r.Out, "out", "", "the folder to write; must not exist")
	f.IntVarP(&r.K, "number", "k", 20, "items per user; 0 means no lists")
	f.IntSliceVar(&r.Ks, "evaluate", nil, "list lengths to evaluate on the test part, such as 10,20")
	return need(c, "from", "model", "out")
}
