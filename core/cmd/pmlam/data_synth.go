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
		Short: "Write interactions with the shape of real ones, of any size",
		Long: "Write interactions with the shape of real ones, to see what a size costs: few items have most of the\n" +
			"likes, people like what others of the same taste like, items appear over time. The file has a user, an\n" +
			"item and a time in each line. The same flags give the same file. Figures of quality on it say nothing\n" +
			"about your data.",
		Example: "  pmlam data synth --users 138000 --items 27000 --interactions 20000000 --out 20m.csv\n" +
			"  pmlam data stats 20m.csv",
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(c *cobra.Command, _ []string) error { return drawInteractions(a, c.Context(), s, out) },
	}
	g := cli.NewGroup("What is written")
	g.StringVar(&out, "out", "", "the file to write")
	g.IntVar(&s.Users, "users", s.Users, "users; each has 5 interactions at least")
	g.IntVar(&s.Items, "items", s.Items, "items; a user has half of them at most")
	g.IntVar(&s.Interactions, "interactions", s.Interactions, "interactions in all")
	g.IntVar(&s.Tastes, "tastes", 0, "groups of items that are liked by the same people; 0: one for 200 items")
	g.Uint64Var(&s.Seed, "seed", s.Seed, "another seed gives other interactions")
	g.Placeholder("FILE", "out")
	cli.AddGroups(c, g)
	return c
}

func drawInteractions(a *cli.App, ctx context.Context, s synth.Config, out string) error {
	if out == "" {
		return cli.Usagef("--out is needed: the file to write")
	}
	if _, err := os.Stat(out); err == nil {
		return fmt.Errorf("%s is there already and is not overwritten; remove it, or give another name", out)
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
