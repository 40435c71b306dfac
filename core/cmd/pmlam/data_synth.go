package main

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/dataset/synth"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/durable"
)

func synthCommand(a *cli.App) *cobra.Command {
	s := synth.Config{Users: 6_000, Items: 3_700, Interactions: 1_000_000, Seed: 1}
	var out string
	c := &cobra.Command{
		Use:   "synth --out FILE [flags]",
		Short: "Write synthetic interactions of any size",
		Long: "Write synthetic interactions, to measure the cost of large data: few items have most of the\n" +
			"likes, people with similar tastes like the same items, and items appear over time. Each line has\n" +
			"a user, an item and a time. The same flags give the same file. Metrics of quality on it say\n" +
			"nothing about your data.",
		Example: "  pmlam data synth --users 138000 --items 27000 --interactions 20000000 --out 20m.csv\n" +
			"  pmlam data stats 20m.csv",
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(c *cobra.Command, _ []string) error { return drawInteractions(a, c.Context(), s, out) },
	}
	g := cli.NewGroup("Output")
	g.StringVar(&out, "out", "", "file to write")
	g.IntVar(&s.Users, "users", s.Users, "number of users; each has at least 5 interactions")
	g.IntVar(&s.Items, "items", s.Items, "number of items; a user has at most half of them")
	g.IntVar(&s.Interactions, "interactions", s.Interactions, "number of interactions")
	g.IntVar(&s.Tastes, "tastes", 0, "groups of items that the same people like; 0: one per 200 items")
	g.Uint64Var(&s.Seed, "seed", s.Seed, "seed of the interactions")
	g.Placeholder("FILE", "out")
	cli.AddGroups(c, g)
	return c
}

func drawInteractions(a *cli.App, ctx context.Context, s synth.Config, out string) error {
	if out == "" {
		return cli.Usagef("--out is missing: pass the file to write")
	}
	if _, err := os.Stat(out); err == nil {
		return fmt.Errorf("%s already exists and is not overwritten; remove it, or pass another name", out)
	}
	b := a.StepsBar("interactions", "interactions")
	defer b.Done()
	err := durable.WriteFile(durable.OS, out, func(w io.Writer) error {
		return synth.WriteCSV(w, s, func(done int) error {
			b.Set(int64(done), int64(s.Interactions), "")
			return ctx.Err()
		})
	})
	if err != nil {
		return err
	}
	a.Printf("wrote %s: %d interactions of %d users with %d items\n", out, s.Interactions, s.Users, s.Items)
	if a.JSON {
		return a.PrintJSON(map[string]any{"out": out, "users": s.Users, "items": s.Items,
			"interactions": s.Interactions, "tastes": s.Tastes, "seed": s.Seed})
	}
	return nil
}
