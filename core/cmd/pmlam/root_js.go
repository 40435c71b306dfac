package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/server/page"
	"github.com/pmlam/pmlam/server/site"
)

// newRoot returns the commands of the studio: those that make a site of files, and two for its page. The others would
// double the program.
func newRoot(stdout, stderr io.Writer) *cobra.Command {
	a := cli.NewApp("pmlam", stdout, stderr)
	a.In = nil // questions are answered by flags
	h := newHost()
	a.Host = h
	root := a.NewCommand(initCommand(a), trainCommand(a), siteCommand(a, openArchive), settingsCommand(a),
		zipCommand(a))
	for _, c := range root.Commands() {
		if run := c.RunE; run != nil {
			c.RunE = func(c *cobra.Command, args []string) error {
				err := run(c, args)
				h.failed(err)
				return err
			}
		}
	}
	return root
}

// pageArchive is the place of the page's archive in the worker's file system.
const pageArchive = "/pmlam/page.zip"

func openArchive(folder string, quality int) (site.Config, error) {
	return page.Open(pageArchive, folder, quality)
}
