package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/tastemap"
)

func mapsCommand(a *cli.App) *cobra.Command {
	w, file := cli.Work{App: a}, ""
	c := &cobra.Command{
		Use:   "maps --model FILE [flags]",
		Short: "Compare layouts of a model's map of titles",
		Long: "Lay out a model's map of titles in several ways and measure each: planes, other rows, perplexities,\n" +
			"exaggerations, and pulls by genre. \"pmlam map\" uses the best one.",
		Example:           "  pmlam-lab maps --model model.msgpack",
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE: func(c *cobra.Command, _ []string) error {
			if file == "" {
				return cli.Usagef("--model is needed: the model file")
			}
			if err := w.Check(); err != nil {
				return err
			}
			m, err := cli.OpenModel(file)
			if err != nil {
				return err
			}
			if m.Items.Len() <= 2*tastemap.Neighbours {
				return fmt.Errorf("%s has %d items; maps are compared only above %d", file, m.Items.Len(),
					2*tastemap.Neighbours)
			}
			rows, err := compareMaps(c.Context(), &w, m)
			if err != nil || !a.JSON {
				return err
			}
			return a.PrintJSON(map[string]any{"items": m.Items.Len(), "compared": rows})
		},
	}
	g := cli.NewGroup("Model")
	g.StringVar(&file, "model", "", "the model file")
	g.Placeholder("FILE", "model")
	cli.AddGroups(c, g, w.Group())
	return c
}

// comparedMap is one line of the comparison.
type comparedMap struct {
	Name string `json:"name"`
	tastemap.Quality
	// The finest regions: Fit is the share of titles that match their region's name, the next field the share of titles
	// in named regions. The numbers themselves have no regions.
	Fit     float64 `json:"labelFit,omitempty"`
	Covered float64 `json:"labelled,omitempty"`
}

// compareMaps measures other maps of the model.
func compareMaps(ctx context.Context, w *cli.Work, m *model.Model) ([]comparedMap, error) {
	w2, means := tastemap.W2(m.Items), tastemap.Means(m.Items)
	with := func(change func(s *tastemap.Settings)) tastemap.Settings {
		s := tastemap.Default
		change(&s)
		return s
	}
	type way struct {
		name string
		rows tastemap.Rows
		s    tastemap.Settings // zero: a plane
	}
	ways := []way{
		{"plane of the means", means, tastemap.Settings{}}, {"plane of the rows", w2, tastemap.Settings{}},
		{"t-SNE of the means", means, tastemap.Default}, {"t-SNE of the rows", w2, tastemap.Default},
	}
	for _, perplexity := range []float64{5, 10, 30, 50} {
		ways = append(ways, way{fmt.Sprintf("… perplexity %g", perplexity), w2,
			with(func(s *tastemap.Settings) { s.Perplexity = perplexity })})
	}
	for _, exaggeration := range []float64{4, 24} {
		ways = append(ways, way{fmt.Sprintf("… exaggeration %g", exaggeration), w2,
			with(func(s *tastemap.Settings) { s.Exaggeration = exaggeration })})
	}
	ways = append(ways, way{"… 1,500 steps", w2, with(func(s *tastemap.Settings) { s.Steps = 1500 })})
	for _, pull := range []float64{0.1, 0.2, 0.25, 0.3, 0.4} {
		ways = append(ways, way{fmt.Sprintf("… pull by genre %g", pull), tastemap.Pulled(w2, m.Catalogue, pull),
			tastemap.Default})
	}
	w.Printf("%-24s %8s %16s %10s %9s %9s\n", "map", "overlap", "trustworthiness", "same genre", "label fit",
		"labelled")
	var out []comparedMap
	kinds := tastemap.Kinds(m.Catalogue)
	line := func(c comparedMap) {
		w.Printf("%-24s %8.3f %16.3f %10.3f %9.2f %9.2f\n", c.Name, c.Overlap, c.Trustworthiness, c.SameGenre, c.Fit,
			c.Covered)
		out = append(out, c)
	}
	itself, err := tastemap.Measure(ctx, w2, w2, kinds, tastemap.Neighbours, w.Workers)
	if err != nil {
		return nil, err
	}
	line(comparedMap{Name: "the numbers themselves", Quality: itself})
	for _, x := range ways {
		made, err := tastemap.Draw(ctx, x.rows, m.Catalogue, x.s, w.Workers)
		if err != nil {
			return nil, err
		}
		q, err := tastemap.Measure(ctx, w2, tastemap.Places(made), kinds, tastemap.Neighbours, w.Workers)
		if err != nil {
			return nil, err
		}
		c := comparedMap{Name: x.name, Quality: q}
		if levels := tastemap.RegionsReport(made, m.Catalogue); len(levels) > 0 {
			c.Fit, c.Covered = levels[len(levels)-1].Fit, levels[len(levels)-1].Covered
		}
		line(c)
	}
	return out, nil
}
