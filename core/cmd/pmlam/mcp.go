//go:build !js

package main

import (
	"os"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/cmd/pmlam/agents"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/train"
)

// mcpRun is one run of the command mcp.
type mcpRun struct {
	*cli.App
	asked
	marks string
}

func mcpCommand(a *cli.App) *cobra.Command {
	q := mcpRun{App: a}
	c := &cobra.Command{
		Use:   "mcp [flags]",
		Short: "Answer AI agents over the Model Context Protocol",
		Long: "Answer an AI agent over the Model Context Protocol, on standard input and output: the tools\n" +
			"recommend, similar, search and explain. The agent's program starts this command; docs/agents.md\n" +
			"has the settings for it.\n\n" +
			"With --marks there is a fifth tool, remember: it writes likes, dislikes and seen titles to a file, the\n" +
			"backup of the page, if the user says yes. A client that cannot ask its user gets a refusal.",
		Example: "  pmlam mcp\n  pmlam mcp --model shop.msgpack --project pmlam.toml --marks marks.json",
		Args:    cli.NoArgs, ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error { return q.run(c) },
	}
	g := cli.NewGroup("Agents")
	q.asked.register(g)
	g.StringVar(&q.marks, "marks", "", "file of the user's marks, new or a backup of the page; without it nothing is "+
		"remembered")
	g.Placeholder("FILE", "marks")
	cli.AddGroups(c, g)
	return c
}

func (q *mcpRun) run(c *cobra.Command) error {
	_, r, _, err := q.open(q.App, c)
	if err != nil {
		return err
	}
	o := agents.Options{Engine: r, Version: train.Version}
	if q.marks != "" {
		if o.Marks, err = agents.OpenMarks(q.marks, r); err != nil {
			return err
		}
	}
	if q.Interactive() {
		q.Notef("waiting for an agent's program on standard input, one message a line; Ctrl-C stops it")
	}
	return agents.Serve(c.Context(), agents.New(o), os.Stdin, os.Stdout)
}
