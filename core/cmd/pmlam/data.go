package main

import (
	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/dataset"
)

func (a *app) dataCommand() *cobra.Command {
	c := &cobra.Command{Use: "data", Short: "Look at data", Args: cobra.ArbitraryArgs, RunE: branch,
		DisableFlagsInUseLine: true}
	c.AddCommand(a.statsCommand(), a.formatsCommand(), a.synthCommand())
	return c
}

func (a *app) statsCommand() *cobra.Command {
	var s source
	c := &cobra.Command{
		Use:   "stats PATH [flags]",
		Short: "Print the statistics of a data set, as the paper's Table 1",
		Example: "  pmlam data stats ml-latest-small\n  pmlam data stats purchases.csv --user-column customer " +
			"--item-column 3",
		Args: exactArgs(1, "one file or folder"),
		RunE: func(c *cobra.Command, args []string) error {
			s.data, s.printsReading = args[0], true
			return a.stats(c, &s)
		},
	}
	g := s.add(newGroup("Data"))
	s.registerReading(g)
	s.registerFilter(g)
	addGroups(c, g)
	completeSource(c)
	return c
}

// spread is dataset.Spread in JSON.
type spread struct {
	Least  int     `json:"least"`
	Median float64 `json:"median"`
	Mean   float64 `json:"mean"`
	Most   int     `json:"most"`
}

func (a *app) stats(c *cobra.Command, s *source) error {
	in, err := s.read(c.Context(), a)
	if err != nil {
		return err
	}
	st := in.Stats()
	rows := []dataset.Stats{st}
	if in.split.Test != nil {
		for _, part := range []struct {
			name   string
			matrix *dataset.Matrix
		}{{"of these, for training", in.split.Train}, {"of these, for testing", in.split.Test}} {
			row := dataset.StatsOf(part.matrix)
			row.Name = part.name
			rows = append(rows, row)
		}
	}
	a.printf("%s", readingText(in.Read))
	a.printf("\n%s: %s\n\n%s\n", in.Name, in.Read, dataset.Table(rows))
	for _, of := range []struct {
		what string
		dataset.Spread
	}{{"A user likes", st.PerUser}, {"An item is liked by", st.PerItem}} {
		a.printf("%s %d to %d, %g in the median, %.1f on average\n", of.what, of.Least, of.Most, of.Median, of.Mean)
	}
	if !a.json {
		return nil
	}
	r := in.Read
	return a.printJSON(map[string]any{
		"name": in.Name, "format": r.Format, "users": st.Users, "items": st.Items, "interactions": st.Interactions,
		"density":  st.Density,
		"per_user": spread{st.PerUser.Least, st.PerUser.Median, st.PerUser.Mean, st.PerUser.Most},
		"per_item": spread{st.PerItem.Least, st.PerItem.Median, st.PerItem.Mean, st.PerItem.Most},
		"lines":    r.Lines, "skipped": r.Skipped, "duplicates": r.Duplicates, "unrated": r.Unrated,
		"below_rating": r.BelowRating, "below_user": r.BelowUser, "below_item": r.BelowItem,
		"reading":    newReadingReport(r),
		"min_rating": r.MinRating, "described": r.Described, "cleaned": r.Cleaned, "shortened": r.Shortened,
		"licence": in.Licence,
	})
}

func (a *app) formatsCommand() *cobra.Command {
	return &cobra.Command{
		Use:               "formats",
		Short:             "List the formats that can be read",
		Args:              noArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			type format struct {
				Name        string `json:"name"`
				Description string `json:"description"`
			}
			var all []format
			for _, f := range dataset.Formats() {
				a.printf("%-16s %s\n", f.Name, f.Description)
				all = append(all, format(f))
			}
			if a.json {
				return a.printJSON(map[string]any{"formats": all})
			}
			return nil
		},
	}
}
