package main

import (
	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/recommend"
)

// offered is the maximum number of titles for completion.
const offered = 20

// completeModel returns completions from the model at path: titles that match the typed text, and genres. An unreadable
// model has no completions; the command itself reports the error.
func completeModel(c *cobra.Command, path *string) {
	open := func() *recommend.Recommender {
		m, err := cli.OpenModel(*path)
		if err != nil {
			return nil
		}
		r, err := recommend.Open(m, recommend.Options{})
		if err != nil {
			return nil
		}
		return r
	}
	titles := func(_ *cobra.Command, _ []string, typed string) (out []string, _ cobra.ShellCompDirective) {
		const directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveKeepOrder
		r := open()
		if r == nil {
			return nil, directive
		}
		for _, f := range r.Search(typed, offered) {
			out = append(out, name(r, f.Item))
		}
		if typed == "" {
			for _, i := range r.Starters(offered, 0) {
				out = append(out, name(r, i))
			}
		}
		return out, directive
	}
	for _, flag := range []string{"like", "dislike", "seen"} {
		cli.CompleteBy(c, flag, titles)
	}
	cli.CompleteBy(c, "genre", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		if r := open(); r != nil {
			return r.Genres(), cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	})
}
