package main

import (
	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/recommend"
)

// Shell completion of flags; the command "completion" prints the script.

// complete offers these words behind the flag.
func complete(c *cobra.Command, flag string, certaintyNames ...string) {
	completeBy(c, flag, cobra.FixedCompletions(certaintyNames, cobra.ShellCompDirectiveNoFileComp))
}

func completeBy(c *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // no such flag, or twice
	}
}

// completeSource is for the flags of source.
func completeSource(c *cobra.Command) {
	var formats []string
	for _, f := range dataset.Formats() {
		formats = append(formats, cobra.CompletionWithDesc(f.Name, f.Description))
	}
	complete(c, "format", formats...)
}

// completeSettings is for the flags of settings, and of the model file where the command has them.
func completeSettings(c *cobra.Command) {
	var presets []string
	for _, p := range pmlam.Presets {
		presets = append(presets, cobra.CompletionWithDesc(p.Name, p.Use))
	}
	complete(c, "preset", presets...)
	complete(c, "loss", "hinge", "softmax")
	complete(c, "margin", string(pmlam.Adaptive), string(pmlam.Fixed))
	complete(c, "bound", pmlam.SigmaBound.String(), string(pmlam.StddevBound), string(pmlam.JointBound))
	complete(c, "outer-loss", pmlam.OuterHinge.String(), string(pmlam.OuterSoftmax))
	complete(c, "outer-batch", pmlam.SameBatch.String(), string(pmlam.HeldOutBatch), string(pmlam.RotatedBatch))
	complete(c, "input", "difference", "cat", "add")
	complete(c, "relations", string(pmlam.NoRelations), string(pmlam.FixedRelations), string(pmlam.AdaptiveRelations))
	complete(c, "item-part", string(pmlam.NoItemPart), string(pmlam.CosinePart), string(pmlam.RidgePart),
		string(pmlam.EASEPart))
	if c.Flags().Lookup("device") != nil {
		complete(c, "device", deviceNames...)
	}
	if c.Flags().Lookup("precision") != nil {
		complete(c, "precision", model.Float32.String(), model.Float16.String(), model.Int8.String())
	}
}

// offered is how many titles a shell is offered.
const offered = 20

// completeModel offers what the model at path has: titles that answer what was typed, and genres. Where the model
// cannot be read there is nothing to offer, and the command itself will say why.
func completeModel(c *cobra.Command, path *string) {
	open := func() *recommend.Recommender {
		m, err := openModel(*path)
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
		completeBy(c, flag, titles)
	}
	completeBy(c, "genre", func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
		if r := open(); r != nil {
			return r.Genres(), cobra.ShellCompDirectiveNoFileComp
		}
		return nil, cobra.ShellCompDirectiveNoFileComp
	})
}
