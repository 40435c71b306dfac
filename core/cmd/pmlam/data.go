package main

import (
	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/dataset"
)

func (a *app) dataCommand() *cobra.Command {
	c := &cobra.Command{Use: "data", Short: "Look at data"}
	var s source
	stats := &cobra.Command{
		Use:   "stats DATA",
		Short: "Print the statistics of a data set, as the paper's Table 1",
		Args:  exactArgs(1, "one file or folder"),
		RunE: func(_ *cobra.Command, args []string) error {
			s.data, s.fold, s.folds = args[0], -1, 5
			in, err := s.read(a)
			if err != nil {
				return err
			}
			st := in.Stats()
			a.printf("%s: %s\n\n%s", in.Name, in.Read, dataset.Table([]dataset.Stats{st}))
			if !a.json {
				return nil
			}
			return a.printJSON(map[string]any{
				"name": in.Name, "format": in.Read.Format, "users": st.Users, "items": st.Items,
				"interactions": st.Interactions, "density": st.Density, "skipped": in.Read.Skipped,
				"described": in.Read.Described, "licence": in.Licence,
			})
		},
	}
	s.register(stats.Flags())
	formats := &cobra.Command{
		Use:   "formats",
		Short: "List the formats that can be read",
		Args:  noArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.json {
				return a.printJSON(dataset.Formats())
			}
			for _, f := range dataset.Formats() {
				a.printf("%-16s %s\n", f.Name, f.Description)
			}
			return nil
		},
	}
	c.AddCommand(stats, formats)
	return c
}
