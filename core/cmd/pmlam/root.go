//go:build !js

package main

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/baseline"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/server/page"
)

func newRoot(stdout, stderr io.Writer) *cobra.Command { return newRootOf(stdout, stderr, page.Config) }

// newRootOf returns the root command with a page.
func newRootOf(stdout, stderr io.Writer, open openPage) *cobra.Command {
	a := cli.NewApp("pmlam", stdout, stderr)
	root := a.NewCommand(initCommand(a), dataCommand(a), trainCommand(a), evaluateCommand(a), auditCommand(a),
		cli.MethodsCommand(a, baseline.Methods()), recommendCommand(a), similarCommand(a), inspectCommand(a),
		mapCommand(a), addItemsCommand(a), chunkCommand(a), exportCommand(a), compareCommand(a), siteCommand(a, open),
		serveCommand(a), updateCommand(a, open), playCommand(a, open), relatedCommand(a), mcpCommand(a))
	root.Short = "Recommendations from Gaussians: train, measure, query"
	root.Long = "pmlam trains Probabilistic Metric Learning with Adaptive Margin (Ma et al., KDD 2020) on ratings\n" +
		"and writes a model file. The same program queries it natively, and the website in the browser."
	root.Example = "  pmlam recommend --like \"Toy Story\" --like Heat --like Alien\n" +
		"  pmlam train --data ratings.csv --items movies.csv --out model.msgpack"
	return root
}
