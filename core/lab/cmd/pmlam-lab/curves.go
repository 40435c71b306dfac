package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/lab/curves"
	"github.com/pmlam/pmlam/core/lab/leaderboard"
)

func curvesCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use:   "curves FOLDER",
		Short: "Draw the learning curves of a training",
		Long: "Draw the learning curves that a training with --curves FOLDER wrote to curve.csv: losses,\n" +
			"margin and validation over the epochs, as curve.png in the same folder.",
		Example: "  pmlam train --data ratings.csv --curves run --out model.msgpack\n" +
			"  pmlam-lab curves run",
		Args: cli.ExactArgs(1, "the folder of a training's curves"),
		RunE: func(_ *cobra.Command, args []string) error {
			path, err := curves.Draw(args[0])
			if err != nil {
				return err
			}
			a.Printf("wrote %s\n", path)
			if a.JSON {
				return a.PrintJSON(map[string]any{"file": path})
			}
			return nil
		},
	}
}

func leaderboardCommand(a *cli.App) *cobra.Command {
	records := ""
	c := &cobra.Command{
		Use:   "leaderboard [--records FOLDER]",
		Short: "Print the page of all records, in Markdown",
		Long: "Print the page of all records, in Markdown: a table for each data set and split, with our\n" +
			"measurements next to published figures, and the commands that repeat them.",
		Example:           "  pmlam-lab leaderboard > core/lab/docs/leaderboard.md",
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(*cobra.Command, []string) error {
			page, err := leaderboard.PageOf(records)
			if err != nil {
				return err
			}
			if a.JSON {
				return a.PrintJSON(map[string]any{"page": page})
			}
			_, err = io.WriteString(a.Out, page)
			return err
		},
	}
	g := cli.NewGroup("Records")
	g.StringVar(&records, "records", "core/lab/results/records", "folder of the records")
	g.Placeholder("FOLDER", "records")
	cli.AddGroups(c, g)
	return c
}
