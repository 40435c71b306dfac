package main

import (
	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
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
