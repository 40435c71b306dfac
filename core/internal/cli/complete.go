package cli

import (
	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/dataset"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/pmlam"
	"github.com/pmlam/pmlam/core/train/choose"
)

// Shell completion of flags; the command "completion" prints the script.

// Complete offers these words behind the flag.
func Complete(c *cobra.Command, flag string, words ...string) {
	CompleteBy(c, flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
}

// CompleteBy offers what f returns behind the flag.
func CompleteBy(c *cobra.Command, flag string, f cobra.CompletionFunc) {
	if err := c.RegisterFlagCompletionFunc(flag, f); err != nil {
		panic(err) // no such flag, or a second registration
	}
}

// CompleteSource registers completions for the flags of Source.
func CompleteSource(c *cobra.Command) {
	var formats []string
	for _, f := range dataset.Formats() {
		formats = append(formats, cobra.CompletionWithDesc(f.Name, f.Description))
	}
	Complete(c, "format", formats...)
}

// CompleteSettings registers completions for the flags of Settings and, if registered, of the model file.
func CompleteSettings(c *cobra.Command) {
	var presets []string
	for _, p := range pmlam.Presets {
		presets = append(presets, cobra.CompletionWithDesc(p.Name, p.Use))
	}
	Complete(c, "preset", presets...)
	Complete(c, "loss", "hinge", "softmax")
	Complete(c, "margin", string(pmlam.Adaptive), string(pmlam.Fixed))
	Complete(c, "bound", pmlam.SigmaBound.String(), string(pmlam.StddevBound), string(pmlam.JointBound))
	Complete(c, "outer-loss", pmlam.OuterHinge.String(), string(pmlam.OuterSoftmax))
	Complete(c, "outer-batch", pmlam.SameBatch.String(), string(pmlam.HeldOutBatch), string(pmlam.RotatedBatch))
	Complete(c, "input", "difference", "cat", "add")
	Complete(c, "relations", string(pmlam.NoRelations), string(pmlam.FixedRelations), string(pmlam.AdaptiveRelations))
	Complete(c, "item-part", string(choose.NoItemPart), string(choose.CosinePart), string(choose.RidgePart),
		string(choose.EASEPart))
	if c.Flags().Lookup("device") != nil {
		Complete(c, "device", DeviceNames...)
	}
	if c.Flags().Lookup("precision") != nil {
		Complete(c, "precision", model.Float32.String(), model.Float16.String(), model.Int8.String())
	}
}
