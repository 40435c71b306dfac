package main

import (
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/internal/durable"
)

// zipCommand returns the command that packs the site for the studio's download.
func zipCommand(a *cli.App) *cobra.Command {
	return &cobra.Command{
		Use: "zip FOLDER FILE", Short: "Pack a folder", Args: cli.ExactArgs(2, "a folder and a file"),
		RunE: func(_ *cobra.Command, args []string) error {
			files, size := 0, int64(0)
			err := durable.WriteFile(durable.OS, args[1], func(w io.Writer) (err error) {
				files, size, err = zipFolder(w, os.DirFS(args[0]))
				return err
			})
			if err != nil {
				return err
			}
			return a.PrintJSON(map[string]any{"files": files, "size": size})
		},
	}
}
