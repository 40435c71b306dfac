package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/eval"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/tastemap"
)

func inspectCommand(a *cli.App) *cobra.Command {
	var config bool
	c := &cobra.Command{
		Use:     "inspect FILE [flags]",
		Short:   "Show the content and origin of a model file",
		Example: "  pmlam inspect model.msgpack\n  pmlam inspect --config model.msgpack >settings.json",
		Args:    cli.ExactArgs(1, "one model file"),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := cli.OpenModel(args[0])
			if err != nil {
				return err
			}
			if config {
				return printModelConfig(a, m)
			}
			info, err := os.Stat(args[0])
			if err != nil {
				return err
			}
			return describeModel(a, c.Context(), m, info.Size())
		},
	}
	g := cli.NewGroup("Output")
	g.BoolVar(&config, "config", false, "print only the settings, as --config of train reads them")
	cli.AddGroups(c, g)
	return c
}

// printModelConfig prints the settings as stored in the file.
func printModelConfig(a *cli.App, m *model.Model) error {
	var b bytes.Buffer
	write := json.Compact
	if !a.JSON {
		write = func(dst *bytes.Buffer, src []byte) error { return json.Indent(dst, src, "", "  ") }
	}
	if err := write(&b, []byte(m.Provenance.Config)); err != nil {
		return fmt.Errorf("the model's settings cannot be read: %w", err)
	}
	fmt.Fprintf(a.Out, "%s\n", b.Bytes())
	return nil
}

func describeModel(a *cli.App, ctx context.Context, m *model.Model, size int64) error {
	p, o := &m.Provenance, &m.Objective
	users := 0
	if m.Users != nil {
		users = m.Users.Len()
	}
	links, gamma := 0, float32(0)
	if m.ItemItem != nil {
		links, gamma = m.ItemItem.Links(), m.ItemItem.Gamma
	}
	calibrated := 0
	if m.Calibration != nil {
		calibrated = m.Calibration.Users
	}
	// The map of an older model is its plane.
	shown := m.Layout()
	q, measured, err := mapQuality((&cli.Work{App: a}), ctx, m, shown)
	if err != nil {
		return err
	}
	regions := tastemap.RegionsReport(shown, m.Catalogue)
	if a.JSON {
		bands, guarantees := reliability(m)
		var drawn any
		if measured {
			drawn = mapReport{q, regions}
		}
		return a.PrintJSON(map[string]any{
			"reliability": bands, "guarantee": guarantees,
			"map":              drawn,
			"calibrated_users": calibrated,
			"links":            links, "link_weight": gamma, "link_prior": o.LinkPrior,
			"bytes": size, "sha256": m.Digest, "precision": m.Precision.String(),
			"items": m.Items.Len(), "dim": m.Items.Dim(), "users_kept": users, "adaptive": m.Margins.UserItem != nil,
			"dataset": p.Dataset, "trained_users": p.Users, "interactions": p.Interactions, "preset": p.Preset,
			"seed": p.Seed,
			"loss": o.Loss.Kind.String(), "user_weight": o.Composition.Weight,
			"visitor_prior": o.Composition.Prior, "free_users": o.Composition.Free,
			"metrics": p.Metrics, "program": p.Program, "licence": p.Licence,
			"attribution": p.Attribution,
		})
	}
	row := func(name, format string, args ...any) {
		a.Printf("%-14s %s\n", name, cli.Line(fmt.Sprintf(format, args...)))
	}
	row("Data", "%s: %d users, %d interactions", p.Dataset, p.Users, p.Interactions)
	row("Items", "%d Gaussians of dimension %d, stored as %s", m.Items.Len(), m.Items.Dim(), m.Precision)
	row("Users stored", "%d", users)
	row("Trained by", "preset %s, loss %s, seed %d, program %s", p.Preset, o.Loss.Kind, p.Seed, p.Program)
	row("Users", "%s", composition(o))
	if links > 0 {
		few := ""
		if o.LinkPrior > 0 {
			few = fmt.Sprintf(", half of it for %g likes", o.LinkPrior)
		}
		row("Links", "%d links, %.1f per item, with weight %.3g%s", links,
			float64(links)/float64(m.Items.Len()), gamma, few)
	}
	if calibrated > 0 {
		row("Calibrated", "on %d users, each left out of a training", calibrated)
	}
	a.Printf("%s", reliabilityText(m))
	if measured {
		row("Map", "%s", mapLine(q))
	}
	for _, l := range strings.Split(strings.TrimSuffix(regionLines(regions), "\n"), "\n") {
		if l != "" {
			row("Regions", "%s", l)
		}
	}
	// Only the paper's metrics; --json has the others too.
	for _, metric := range []string{eval.Recall, eval.NDCG} {
		for _, k := range eval.DefaultKs {
			if v, ok := p.Metrics[eval.Key(metric, k)]; ok {
				row("Held out", "%s %.4f", eval.Key(metric, k), v)
			}
		}
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
		return "a learned Gaussian each; a visitor's is inferred"
	case c.Free:
		return fmt.Sprintf("composed of the items they like, weight %g, and a learned part each", c.Weight)
	case c.Prior > 0:
		return fmt.Sprintf("composed of the items they like and %g average likes, weight %g", c.Prior, c.Weight)
	default:
		return fmt.Sprintf("composed of the items they like, weight %g", c.Weight)
	}
}
