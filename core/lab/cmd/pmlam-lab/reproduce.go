package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/durable"
	"github.com/pmlam/pmlam/core/lab/reproduce"
	"github.com/pmlam/pmlam/core/lab/reproduce/results"
	"github.com/pmlam/pmlam/core/pmlam"
)

// reproductions are the parts of a reproduction, in the order in which they run.
var reproductions = []string{"table1", "table2", "figure3", "table3", "bounds", "table4"}

// reproduction is one run of the reproduce command.
type reproduction struct {
	cli.Work
	reproduce.Protocol
	data      []string
	out, into string
	known     string
	publish   string
	methods   []string
	rows      []string
	jobs      int
	maxTime   time.Duration
	fiveFolds bool
	splitSeed uint64

	devices   []*pmlam.Device      // by job
	published *reproduce.Published // the contents of known; nil without --known
	deadline  time.Time
	files     []string
	timeOver  bool // --max-time has passed
}

func reproduceCommand(a *cli.App) *cobra.Command {
	r := reproduction{Work: cli.Work{App: a}, Protocol: reproduce.Defaults}
	c := &cobra.Command{
		Use:   "reproduce {table1|table2|figure3|table3|bounds|table4|all} --data PATH[,PATH…] [flags]",
		Short: "Measure all methods by the paper's protocol and write its tables",
		Long: "Measure all methods by the paper's protocol and write its tables as Markdown, CSV and LaTeX, its\n" +
			"figures as PNG and SVG. table1 has statistics of the data, table2 all methods on all data, with\n" +
			"tests of significance, figure3 the same by list length, table3 the ablation, bounds the ablation\n" +
			"with other bounds, fixed margins and preset adaptive, table4 the margins of single triplets, which\n" +
			"need genres. The split is five folds per user, or the one that the data were published with. In\n" +
			"each fold a validation part of the training part decides settings and epochs, with the same number\n" +
			"of trials for every method (core/lab/docs/reproduction.md).\n\n" +
			"The folder keeps every finished measurement, and checkpoints of a running training: after Ctrl-C,\n" +
			"--max-time, or a crash, the same command resumes, and the tables show the missing parts.\n" +
			"--publish writes the measurements behind the tables as a few CSV files and one Parquet file.\n" +
			"--known reads such a folder: its measurements are not repeated, and tables of its data sets need\n" +
			"no data.\n\n" +
			"With --device cuda:0 PMLAM trains and ranks on a GPU, with the same figures except for the\n" +
			"rounding of sums; all other methods stay on the processor. All --jobs share the GPU and its memory.\n" +
			"The device is not a setting: the same command resumes from the same files on either. Tables with\n" +
			"seconds name the devices.",
		Example: "  pmlam-lab reproduce table2 --data ml-latest-small,ml-100k --jobs 2\n" +
			"  pmlam-lab reproduce table2 --data ml-100k --trials 1 --known core/lab/results\n" +
			"  pmlam-lab reproduce table3 --data ml-100k --trials 1 --device cuda:0 --jobs 4\n" +
			"  pmlam-lab reproduce all --data ml-100k --folds 1 --trials 1 --methods popularity,ease,pmlam-hybrid",
		Args:      cli.ExactArgs(1, "one of table1, table2, figure3, table3, bounds, table4 and all"),
		ValidArgs: append(slices.Clone(reproductions), "all"),
		RunE: func(c *cobra.Command, args []string) error {
			return r.run(c.Context(), args[0])
		},
	}
	g := cli.NewGroup("Data")
	g.StringSliceVar(&r.data, "data", nil, "files or folders with interactions, read as by \"pmlam train\"")
	g.BoolVar(&r.fiveFolds, "five-folds", false, "five folds even for data with a published split")
	g.Uint64Var(&r.splitSeed, "split-seed", 1, "seed of the folds")
	g.Placeholder("PATH", "data")
	g.Placeholder("N", "split-seed")
	p := cli.NewGroup("Protocol")
	p.StringSliceVar(&r.methods, "methods", nil, "methods of table2 and figure3: pmlam-paper, "+
		"pmlam-adaptive, pmlam-best, pmlam-hybrid, and those that \"pmlam-lab methods\" lists (default: all)")
	p.StringSliceVar(&r.rows, "rows", nil, "rows of bounds, such as joint-1,adaptive (default: all)")
	p.IntVar(&r.Trials, "trials", r.Trials, "trials per method and fold, including the one with defaults")
	p.IntVar(&r.Epochs, "epochs", r.Epochs, "most epochs of a method whose epochs are chosen by validation")
	p.IntVar(&r.Patience, "patience", r.Patience, "stop such a training after so many validations, one every "+
		"10 epochs, without improvement")
	p.IntVar(&r.Folds, "folds", r.Folds, "measure only the first N of the five folds")
	p.Uint64Var(&r.Seed, "seed", r.Seed, "seed of everything but the folds")
	p.Placeholder("LIST", "methods", "rows")
	p.Placeholder("N", "trials", "epochs", "patience", "folds", "seed")
	w := r.Device.Register(r.Group())
	w.StringVar(&r.out, "out", "reproduction", "folder for tables, figures and measurements, created if missing")
	w.StringVar(&r.known, "known", "", "folder of published results, such as core/lab/results, that are not repeated; "+
		"--data may name data sets in it")
	w.StringVar(&r.publish, "publish", "", "add the measurements to a folder of published results, such "+
		"as core/lab/results")
	w.StringVar(&r.into, "into", "", "Markdown page: tables go between its lines <!-- generated: TABLE DATA --> "+
		"and <!-- end -->")
	w.IntVar(&r.jobs, "jobs", 1, "folds and methods measured in parallel, sharing the workers; memory is measured "+
		"only with 1, on the processor")
	w.DurationVar(&r.maxTime, "max-time", 0, "stop after this time, such as 8m or 2h; 0: when everything is measured")
	w.Placeholder("FOLDER", "out", "known", "publish")
	w.Placeholder("FILE", "into")
	w.Placeholder("N", "jobs")
	w.Placeholder("TIME", "max-time")
	cli.AddGroups(c, g, p, w)
	cli.Complete(c, "methods", reproduce.MethodNames()...)
	cli.Complete(c, "rows", reproduce.BoundNames()...)
	cli.Complete(c, "device", cli.DeviceNames...)
	return c
}

func (r *reproduction) check(what string) error {
	if what != "all" && !slices.Contains(reproductions, what) {
		return cli.Usagef("unknown part %q; choose from %s and all", what, strings.Join(reproductions, ", "))
	}
	if err := r.Protocol.Check(); err != nil {
		return cli.AsUsage(err)
	}
	if all, err := reproduce.Methods(1, r.Protocol); err != nil {
		return err
	} else if _, err := reproduce.Select(all, r.methods); err != nil {
		return cli.Usagef("--methods: %w", err)
	}
	if _, err := reproduce.Bounds(1, r.Protocol, r.rows...); err != nil {
		return cli.Usagef("--rows: %w", err)
	}
	switch {
	case len(r.data) == 0:
		return cli.Usagef("--data is needed: the files or folders with the interactions")
	case r.jobs < 1:
		return cli.Usagef("--jobs is %d; it must be at least 1", r.jobs)
	case r.maxTime < 0:
		return cli.Usagef("--max-time is %v; it must be at least 0", r.maxTime)
	case r.out == "":
		return cli.Usagef("--out is needed: a folder for the measurements")
	}
	return r.Work.Check()
}

func (r *reproduction) run(ctx context.Context, what string) (err error) {
	if err := r.check(what); err != nil {
		return err
	}
	if r.devices, err = r.Device.OpenAll(r.jobs); err != nil {
		return err
	}
	defer cli.CloseAll(r.devices)
	if r.maxTime > 0 {
		r.deadline = time.Now().Add(r.maxTime)
	}
	if err := r.readKnown(); err != nil {
		return err
	}
	var all []*reproduce.Data
	for _, path := range r.data {
		d, err := r.read(ctx, path)
		if err != nil {
			return err
		}
		for _, other := range all {
			if other.Key == d.Key {
				return fmt.Errorf("two data sets are named %s, as their files would be: rename one", d.Key)
			}
		}
		all = append(all, d)
	}
	release, err := durable.Claim(r.out)
	if err != nil {
		return fmt.Errorf("cannot keep tables in %s: %w", r.out, err)
	}
	defer release()
	parts := []string{what}
	if what == "all" {
		parts = reproductions
	}
	var failed error
	for _, part := range parts {
		if failed = r.part(ctx, part, all, what == "all"); failed != nil {
			break
		}
	}
	if r.JSON && (failed == nil || errors.Is(failed, context.Canceled)) {
		return errors.Join(r.PrintJSON(map[string]any{"files": r.files, "interrupted": r.timeOver || failed != nil}),
			failed)
	}
	return failed
}

// readKnown reads the folder of --known.
func (r *reproduction) readKnown() (err error) {
	if r.known == "" {
		return nil
	}
	if r.published, err = reproduce.ReadPublished(r.known); errors.Is(err, results.ErrNone) {
		return fmt.Errorf("--known: %w; --publish writes such a folder", err)
	} else if err != nil {
		return fmt.Errorf("--known: %w", err)
	}
	return nil
}

// read reads a data set, filtered as in the paper, with a progress bar, and checks that it can be measured. A path that
// does not exist may name a published data set instead.
func (r *reproduction) read(ctx context.Context, path string) (*reproduce.Data, error) {
	if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) && r.published != nil {
		if d, ok := r.published.Data(path, !r.fiveFolds, r.splitSeed); ok {
			r.Notef("%s: the data are not available; using the results in %s", d.Name, r.known)
			return d, nil
		}
	}
	s := cli.Source{
		Data:        path,
		FilterFlags: cli.FilterFlags{MinUser: 10, MinItem: 5},
		SplitFlags:  cli.SplitFlags{Fold: -1},
	}
	in, err := s.Read(ctx, r.App)
	if err != nil {
		return nil, err
	}
	var published *dataset.Split
	if in.Split.Test != nil && !r.fiveFolds {
		published = &in.Split
	}
	key := strings.TrimSuffix(filepath.Base(filepath.Clean(path)), filepath.Ext(path))
	return reproduce.NewData(in.Dataset, key, published, r.splitSeed)
}

// part runs one part on all data. It writes the tables so far before it returns an early error.
func (r *reproduction) part(ctx context.Context, part string, all []*reproduce.Data, amongOthers bool) error {
	switch part {
	case "table1":
		tables := []reproduce.Table{reproduce.Table1(all)}
		return errors.Join(r.write("table1", tables), r.insert("table1", tables), r.publishAll(all, nil, nil))
	case "table4":
		return r.margins(ctx, all, amongOthers)
	}
	s := r.study()
	for _, d := range all {
		methods, err := r.compared(part, d)
		if err != nil {
			return err
		}
		s.Units = append(s.Units, reproduce.UnitsOf(d, methods, r.Protocol)...)
	}
	timed, cancel := r.timed(ctx)
	defer cancel()
	bar := r.StepsBar(part, "trainings")
	s.Report = func(p reproduce.Progress) {
		bar.Estimate = p.Left
		bar.Set(int64(p.Done), int64(p.Total), fmt.Sprintf("%s on %s, fold %d", p.Unit.Method.Name, p.Unit.Data.Key,
			p.Unit.Fold))
	}
	measured, failed := s.Run(timed)
	bar.Done()
	if failed != nil && timed.Err() == nil {
		return r.ended(ctx, failed, part)
	}
	outcomes := reproduce.Outcomes(s.Units, measured)
	if err := errors.Join(r.tables(part, all, outcomes), r.publishAll(all, outcomes, nil)); err != nil {
		return err
	}
	return r.ended(ctx, failed, part)
}

// compared returns the methods of a part.
func (r *reproduction) compared(part string, d *reproduce.Data) ([]reproduce.Method, error) {
	switch part {
	case "table3":
		return reproduce.Ablation(d.Negatives(), r.Protocol)
	case "bounds":
		return reproduce.Bounds(d.Negatives(), r.Protocol, r.rows...)
	}
	methods, err := reproduce.Methods(d.Negatives(), r.Protocol)
	if err != nil {
		return nil, err
	}
	return reproduce.Select(methods, r.methods)
}

func (r *reproduction) study() *reproduce.Study {
	return &reproduce.Study{
		Protocol: r.Protocol, Jobs: r.jobs, Workers: r.Workers, Devices: r.devices,
		Store: &reproduce.Store{FS: durable.OS, Folder: filepath.Join(r.out, "measured"), Published: r.published},
	}
}

// publishAll adds a part's results to the folder of --publish.
func (r *reproduction) publishAll(all []*reproduce.Data, outcomes []*reproduce.Outcome,
	margins []*reproduce.Margins) error {
	if r.publish == "" {
		return nil
	}
	if err := reproduce.Publish(durable.OS, r.publish, r.Protocol, all, outcomes, margins); err != nil {
		return fmt.Errorf("--publish: %w", err)
	}
	return nil
}

// timed returns a context that ends at --max-time.
func (r *reproduction) timed(ctx context.Context) (context.Context, context.CancelFunc) {
	if r.deadline.IsZero() {
		return context.WithCancel(ctx)
	}
	return context.WithDeadline(ctx, r.deadline)
}

// ended explains an incomplete part. Running out of --max-time is not an error.
func (r *reproduction) ended(ctx context.Context, failed error, part string) error {
	switch {
	case failed == nil:
		return nil
	case errors.As(failed, new(*reproduce.DeviceError)):
		return fmt.Errorf("%w; results so far are in %s, and the same command resumes from there", failed, r.out)
	case ctx.Err() == nil && errors.Is(failed, context.DeadlineExceeded):
		r.timeOver = true
		r.Notef("--max-time is over: %s is incomplete; the same command resumes here", part)
		return nil
	case errors.Is(failed, context.Canceled):
		return fmt.Errorf("%s; results so far are in %s, and the same command resumes from there: %w",
			strings.TrimSuffix(failed.Error(), ": "+context.Canceled.Error()), r.out, context.Canceled)
	}
	return failed
}
