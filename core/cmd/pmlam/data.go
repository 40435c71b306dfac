package main

import (
	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/internal/cli"
)

func dataCommand(a *cli.App) *cobra.Command {
	c := &cobra.Command{Use: "data", Short: "Look at data", Args: cobra.ArbitraryArgs, RunE: cli.Branch,
		DisableFlagsInUseLine: true}
	c.AddCommand(statsCommand(a), formatsCommand(a), synthCommand(a))
	return c
}

func statsCommand(a *cli.App) *cobra.Command {
	var s cli.Source
	c := &cobra.Command{
		Use:   "stats PATH [flags]",
		Short: "Print statistics of a data set, as in the paper's Table 1",
		Example: "  pmlam data stats ml-latest-small\n  pmlam data stats purchases.csv --user-column customer " +
			"--item-column 3",
		Args: cli.ExactArgs(1, "a file or folder"),
		RunE: func(c *cobra.Command, args []string) error {
			s.Data, s.PrintsReading = args[0], true
			return printStats(a, c, &s)
		},
	}
	g := s.Add(cli.NewGroup("Data"))
	s.RegisterReading(g)
	s.RegisterFilter(g)
	cli.AddGroups(c, g)
	cli.CompleteSource(c)
	return c
}

// spread is dataset.Spread in JSON.
type spread struct {
	Least  int     `json:"least"`
	Median float64 `json:"median"`
	Mean   float64 `json:"mean"`
	Most   int     `json:"most"`
}

func printStats(a *cli.App, c *cobra.Command, s *cli.Source) error {
	in, err := s.Read(c.Context(), a)
	if err != nil {
		return err
	}
	st := in.Stats()
	rows := []dataset.Stats{st}
	if tested := in.Tested(); tested.Test != nil {
		for _, part := range []struct {
			name   string
			matrix *dataset.Matrix
		}{{"for training", in.Split.Train}, {"for testing", tested.Test}} {
			row := dataset.StatsOf(part.matrix)
			row.Name = part.name
			rows = append(rows, row)
		}
	}
	a.Printf("%s", cli.ReadingText(in.Read))
	a.Printf("\n%s: %s\n\n%s\n", in.Name, in.Read, dataset.Table(rows))
	for _, of := range []struct {
		what string
		dataset.Spread
	}{{"A user likes", st.PerUser}, {"An item is liked by", st.PerItem}} {
		a.Printf("%s %d to %d, median %g, mean %.1f\n", of.what, of.Least, of.Most, of.Median, of.Mean)
	}
	if !a.JSON {
		return nil
	}
	r := in.Read
	return a.PrintJSON(map[string]any{
		"name": in.Name, "format": r.Format, "users": st.Users, "items": st.Items, "interactions": st.Interactions,
		"density":  st.Density,
		"per_user": spread{st.PerUser.Least, st.PerUser.Median, st.PerUser.Mean, st.PerUser.Most},
		"per_item": spread{st.PerItem.Least, st.PerItem.Median, st.PerItem.Mean, st.PerItem.Most},
		"lines":    r.Lines, "skipped": r.Skipped, "duplicates": r.Duplicates, "unrated": r.Unrated,
		"below_rating": r.BelowRating, "below_user": r.BelowUser, "below_item": r.BelowItem,
		"reading":    cli.NewReadingReport(r),
		"min_rating": r.MinRating, "described": r.Described, "cleaned": r.Cleaned, "shortened": r.Shortened,
		"licence": in.Licence,
	})
}

func formatsCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:               "formats",
		Short:             "List the readable formats",
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			type format struct {
				Name        string `json:"name"`
				Description string `json:"description"`
			}
			var all []format
			for _, f := range dataset.Formats() {
				a.Printf("%-16s %s\n", f.Name, f.Description)
				all = append(all, format(f))
			}
			if a.JSON {
				return a.PrintJSON(map[string]any{"formats": all})
			}
			return nil
		},
	}
}
