package main

import (
	"fmt"
	"maps"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/model"
)

func (a *app) inspectCommand() *cobra.Command {
	var config bool
	c := &cobra.Command{
		Use:   "inspect MODEL",
		Short: "Say what a model file holds and where it comes from",
		Args:  exactArgs(1, "one model file"),
		RunE: func(_ *cobra.Command, args []string) error {
			m, err := model.ReadFile(args[0])
			if err != nil {
				return err
			}
			if config {
				_, err := fmt.Fprintln(a.out, m.Provenance.Config)
				return err
			}
			info, err := os.Stat(args[0])
			if err != nil {
				return err
			}
			return a.describe(m, info.Size())
		},
	}
	c.Flags().BoolVar(&config, "config", false, "print only its settings, as --config of train reads them")
	return c
}

func (a *app) describe(m *model.Model, size int64) error {
	p, o := &m.Provenance, &m.Objective
	users := 0
	if m.Users != nil {
		users = m.Users.Len()
	}
	if a.json {
		return a.printJSON(map[string]any{
			"bytes": size, "sha256": m.Digest, "precision": m.Precision.String(),
			"items": m.Items.Len(), "dim": m.Items.Dim(), "users_kept": users, "adaptive": m.Margins.UserItem != nil,
			"dataset": p.Dataset, "trained_users": p.Users, "interactions": p.Interactions, "preset": p.Preset, "seed": p.Seed,
			"loss": o.Loss.Kind.String(), "user_weight": o.Composition.Weight, "free_users": o.Composition.Free,
			"shown": m.Plane.Shown(), "metrics": p.Metrics, "program": p.Program, "licence": p.Licence,
		})
	}
	row := func(name, format string, args ...any) {
		fmt.Fprintf(a.out, "%-14s %s\n", name, fmt.Sprintf(format, args...))
	}
	row("Data", "%s: %d users, %d interactions", p.Dataset, p.Users, p.Interactions)
	row("Items", "%d Gaussians of dimension %d, kept as %s", m.Items.Len(), m.Items.Dim(), m.Precision)
	row("Users kept", "%d", users)
	row("Trained by", "preset %s, loss %s, seed %d, program %s", p.Preset, o.Loss.Kind, p.Seed, p.Program)
	row("Users made", "%s", composition(o))
	row("Map", "shows %.0f%% of the items' variance", 100*m.Plane.Shown())
	for _, k := range slices.Sorted(maps.Keys(p.Metrics)) {
		row("Held out", "%s %.4f", k, p.Metrics[k])
	}
	if p.Licence != "" {
		row("Licence", "%s", p.Licence)
	}
	if p.Attribution != "" {
		row("Attribution", "%s", p.Attribution)
	}
	row("File", "%d bytes, SHA-256 of the content %s", size, m.Digest)
	return nil
}

func composition(o *model.Objective) string {
	switch c := o.Composition; {
	case c.Weight == 0:
		return "by learning a row each; a visitor is folded in"
	case c.Free:
		return fmt.Sprintf("from the items they like, weight %g, and a learned row each", c.Weight)
	default:
		return fmt.Sprintf("from the items they like, weight %g", c.Weight)
	}
}
