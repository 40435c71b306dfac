package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/cli"
)

// auditRun is one run of the audit-split command.
type auditRun struct {
	*cli.App
	inTime bool // the split promises that test items are later
}

func auditCommand(a *cli.App) *cobra.Command {
	var s cli.Source
	r := auditRun{App: a}
	c := &cobra.Command{
		Use:   "audit-split --data PATH [--test PATH | --fold N | --by-time SHARE | --split-time MOMENT] [flags]",
		Short: "Look for leaks between the training and test parts of a split",
		Long: "Look for leaks in a split: user-item pairs in both parts, one item under two ids, users who\n" +
			"repeat another, and test items older than the training part. A leak is an error (exit code 1).\n" +
			"Older test items count as a leak only if the split promises otherwise: with --split-time, or\n" +
			"with --in-time for a published split. The command also reports how unevenly test pairs fall on\n" +
			"items; if that is far from 1, a validation part drawn at random does not resemble the test part.",
		Example: "  pmlam audit-split --data gowalla-lightgcn\n" +
			"  pmlam audit-split --data train.csv --test test.csv --in-time\n" +
			"  pmlam audit-split --data ml-latest-small --split-time 0.2",
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(c *cobra.Command, _ []string) error { return r.run(c.Context(), &s) },
	}
	g := cli.NewGroup("Promise")
	g.BoolVar(&r.inTime, "in-time", false, "treat test items older than any training item as a leak")
	cli.AddGroups(c, s.DataGroup(), s.SplitGroup(), g)
	cli.CompleteSource(c)
	return c
}

// finding is the result of one check, in JSON and as text.
type finding struct {
	What     string   `json:"what"`
	Count    int      `json:"count"`
	Leak     bool     `json:"leak"` // for this split
	Examples []string `json:"examples,omitempty"`
}

// mostExamples is the maximum number of examples in a finding.
const mostExamples = 5

func (r *auditRun) run(ctx context.Context, s *cli.Source) error {
	if err := s.Check(); err != nil {
		return err
	}
	how := s.Splitting()
	switch {
	case how == cli.NoSplit:
		return cli.Usagef("no test part: pass --fold, --test, --by-time, --split-time or --by-user")
	case how != cli.FoldSplit && s.Changed("folds"):
		return cli.Usagef("--folds needs --fold, the number of the fold to hold out")
	}
	in, err := s.Read(ctx, r.App)
	if err != nil {
		return err
	}
	promised := r.inTime || how == cli.MomentSplit
	audit := in.AuditSplit(in.Tested())
	all := findings(in.Dataset, &audit, promised)
	r.Printf("%s, %s: %d test pairs\n", in.Name, in.SplitBy, audit.TestPairs)
	leaks := 0
	for _, f := range all {
		mark := "  "
		if f.Leak {
			leaks++
			mark = "! "
		}
		r.Printf("%s%9d %s\n", mark, f.Count, f.What)
		for _, example := range f.Examples {
			r.Printf("            %s\n", example)
		}
	}
	r.Printf("  %9.2f unevenness of test pairs over items; 1 for a random part of each user's items\n",
		audit.Unevenness)
	untimed := promised && !audit.Timed
	if untimed {
		r.Printf("! the data have no times, so --in-time cannot be checked\n")
	}
	if r.JSON {
		if err := r.PrintJSON(map[string]any{"dataset": in.Name, "split": in.SplitBy, "test_pairs": audit.TestPairs,
			"findings": all, "unevenness": audit.Unevenness, "timed": audit.Timed,
			"leaks": audit.Leaks(promised)}); err != nil {
			return err
		}
	}
	if untimed {
		leaks++
	}
	if leaks > 0 {
		return fmt.Errorf("the split leaks: %s", plural(leaks, "check failed", "checks failed"))
	}
	return nil
}

// findings returns an audit's results with their texts.
func findings(d *dataset.Dataset, a *dataset.Audit, promised bool) []finding {
	id := func(i int32) string {
		id, title := d.Items.ID(int(i)), d.Catalogue.Items[i].Title
		if title == "" || title == id {
			return id
		}
		return id + " (" + title + ")"
	}
	var copies, twins []string
	for _, c := range a.NearCopies[:min(mostExamples, len(a.NearCopies))] {
		copies = append(copies, fmt.Sprintf("user %s: %s is %s", d.Users.ID(c.User), id(c.Test), id(c.Like)))
	}
	for _, t := range a.Twins[:min(mostExamples, len(a.Twins))] {
		twins = append(twins, fmt.Sprintf("user %s is repeated by %s, with %d of their test items", d.Users.ID(t.User),
			d.Users.ID(t.Other), t.Told))
	}
	out := []finding{
		{What: "test pairs are in the training part too", Count: a.InTrain, Leak: a.InTrain > 0},
		{What: "users have such pairs", Count: a.InTrainUsers},
		{What: "lines repeat a pair of their own part", Count: a.Duplicates},
		{What: "test items are in the user's training part under another id", Count: len(a.NearCopies),
			Leak: len(a.NearCopies) > 0, Examples: copies},
		{What: "users are repeated by another with their test items in training", Count: len(a.Twins),
			Leak: len(a.Twins) > 0, Examples: twins},
	}
	if a.Timed {
		out = append(out,
			finding{What: fmt.Sprintf("test pairs are older than the latest training pair, of %s",
				dataset.FormatMoment(a.LastTrain)), Count: a.BeforeTrain, Leak: promised && a.BeforeTrain > 0},
			finding{What: "test pairs are older than their own user's latest training pair: links in order know " +
				"what came later", Count: a.BeforeOwn},
			finding{What: "test pairs have the time of that pair: their order is unknown", Count: a.WithOwn})
	}
	return out
}
