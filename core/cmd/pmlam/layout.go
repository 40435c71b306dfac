package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/tastemap"
	"github.com/pmlam/pmlam/core/train"
)

// layOut computes the model's map, with a bar.
func layOut(ctx context.Context, w *cli.Work, m *model.Model) error {
	bar := w.StepsBar("laying out", "steps")
	defer bar.Done()
	if err := train.LayOut(ctx, m, w.Workers, bar.Count); err != nil {
		return err
	}
	w.NotePlainMap(m.Items.Len())
	return nil
}

// mapQuality measures the model's map; false for models with few items.
func mapQuality(w *cli.Work, ctx context.Context, m *model.Model, of *model.Map) (q tastemap.Quality, ok bool,
	err error) {
	if m.Items.Len() <= 2*tastemap.Neighbours {
		return q, false, nil
	}
	q, err = tastemap.Measure(ctx, tastemap.W2(m.Items), tastemap.Places(of), tastemap.Kinds(m.Catalogue),
		tastemap.Neighbours, w.Workers)
	return q, err == nil, err
}

// mapping is one run of the map command.
type mapping struct {
	cli.Work
	model, out string
}

func mapCommand(a *cli.App) *cobra.Command {
	p := mapping{Work: cli.Work{App: a}}
	c := &cobra.Command{
		Use:   "map --model FILE [--out FILE] [flags]",
		Short: "Lay out a model's map of titles again",
		Long: "Lay out a model's map of titles and find its regions, as a training does. With --out, write the\n" +
			"model with that map. Calibrated rings of visitors are lost if titles move.",
		Example:           "  pmlam map --model old.msgpack --out model.msgpack",
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(c *cobra.Command, _ []string) error { return p.run(c.Context()) },
	}
	g := cli.NewGroup("Model file")
	g.StringVar(&p.model, "model", "", "model file")
	g.StringVar(&p.out, "out", "", "file to write the model with the new map to")
	g.Placeholder("FILE", "model")
	g.Placeholder("FILE", "out")
	cli.AddGroups(c, g, p.Group())
	return c
}

func (p *mapping) run(ctx context.Context) error {
	if p.model == "" {
		return cli.Usagef("--model is missing: pass the model file")
	}
	if err := p.Check(); err != nil {
		return err
	}
	if p.out != "" {
		if err := writable(p.out); err != nil {
			return err
		}
	}
	m, err := cli.OpenModel(p.model)
	if err != nil {
		return err
	}
	before := m.Layout()
	if err := layOut(ctx, &p.Work, m); err != nil {
		return err
	}
	report := map[string]any{"items": m.Items.Len()}
	q, ok, err := mapQuality(&p.Work, ctx, m, m.Map)
	if err != nil {
		return err
	}
	if ok {
		regions := tastemap.RegionsReport(m.Map, m.Catalogue)
		report["map"] = mapReport{q, regions}
		p.Printf("%s\n%s", mapLine(q), regionLines(regions))
	}
	if p.out != "" {
		if m.Calibration != nil && !(slices.Equal(before.X, m.Map.X) && slices.Equal(before.Y, m.Map.Y)) {
			p.Notef("the rings of visitors were calibrated on another map and are removed")
			c := *m.Calibration
			c.Map, m.Calibration = model.MapRegion{}, &c
		}
		if err := model.WriteFile(p.out, m); err != nil {
			return err
		}
		p.Printf("wrote %s\n", p.out)
	}
	if p.JSON {
		return p.PrintJSON(report)
	}
	return nil
}

// mapReport is the report on a map.
type mapReport struct {
	tastemap.Quality
	Regions []tastemap.LevelReport `json:"regions"`
}

// mapLine describes the quality of a map.
func mapLine(q tastemap.Quality) string {
	return fmt.Sprintf("%.0f%% of a title's ten nearest are among its ten nearest on the map; trustworthiness %.3f",
		100*q.Overlap, q.Trustworthiness)
}

// regionLines describes the levels of regions.
func regionLines(levels []tastemap.LevelReport) string {
	var b strings.Builder
	for _, l := range levels {
		fmt.Fprintf(&b, "level %d: %d regions, %d named; %.0f%% of the titles lie in named regions, %.0f%% of these "+
			"fit the name\n", l.Level, l.Regions, l.Named, 100*l.Covered, 100*l.Fit)
	}
	return b.String()
}
