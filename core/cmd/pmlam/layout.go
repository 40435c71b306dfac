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

// layOut gives the model its map, with a bar.
func layOut(ctx context.Context, w *cli.Work, m *model.Model) error {
	bar := w.StepsBar("laying out", "steps")
	defer bar.Done()
	if err := train.LayOut(ctx, m, w.Workers, bar.Count); err != nil {
		return err
	}
	w.NotePlainMap(m.Items.Len())
	return nil
}

// mapQuality measures the model's map; there is nothing to measure of few items.
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
	compare    bool
}

func mapCommand(a *cli.App) *cobra.Command {
	p := mapping{Work: cli.Work{App: a}}
	c := &cobra.Command{
		Use:   "map --model FILE [--out FILE] [flags]",
		Short: "Lay out a model's map of titles anew, or compare ways to",
		Long: "Lay out a model's map of titles and find its regions, as the training does; with --out the model\n" +
			"is written with that map. So a model that is older than maps gets one without a training; where\n" +
			"the titles come to lie elsewhere, the ellipses of visitors are uncalibrated. With --compare other\n" +
			"ways to lay it out are measured beside it.",
		Example: "  pmlam map --model old.msgpack --out model.msgpack\n" +
			"  pmlam map --model model.msgpack --compare",
		Args:              cli.NoArgs,
		ValidArgsFunction: cobra.NoFileCompletions,
		RunE:              func(c *cobra.Command, _ []string) error { return p.run(c.Context()) },
	}
	g := cli.NewGroup("Model file")
	g.StringVar(&p.model, "model", "", "a model file")
	g.StringVar(&p.out, "out", "", "file to write the model to, with the new map")
	g.BoolVar(&p.compare, "compare", false, "measure other maps too: planes, other rows, perplexities, pulls by genre")
	g.Placeholder("FILE", "model")
	g.Placeholder("FILE", "out")
	cli.AddGroups(c, g, p.Group())
	return c
}

func (p *mapping) run(ctx context.Context) error {
	if p.model == "" {
		return cli.Usagef("--model is needed: the model file")
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
	if p.compare && ok {
		rows, err := p.comparison(ctx, m)
		if err != nil {
			return err
		}
		report["compared"] = rows
	}
	if p.out != "" {
		if m.Calibration != nil && !(slices.Equal(before.X, m.Map.X) && slices.Equal(before.Y, m.Map.Y)) {
			p.Notef("the ellipses of visitors were calibrated on another map; they are uncalibrated now")
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

// mapReport is what is said of a map.
type mapReport struct {
	tastemap.Quality
	Regions []tastemap.LevelReport `json:"regions"`
}

// mapLine says how good a map is.
func mapLine(q tastemap.Quality) string {
	return fmt.Sprintf("of a title's ten nearest %.0f%% are among its ten nearest on the map; trustworthiness %.3f",
		100*q.Overlap, q.Trustworthiness)
}

// regionLines says what the levels of regions are.
func regionLines(levels []tastemap.LevelReport) string {
	var b strings.Builder
	for _, l := range levels {
		fmt.Fprintf(&b, "level %d: %d regions, %d with a name; %.0f%% of the titles lie in those, %.0f%% of "+
			"which fit\n", l.Level, l.Regions, l.Named, 100*l.Covered, 100*l.Fit)
	}
	return b.String()
}

// comparedMap is one line of the comparison.
type comparedMap struct {
	Name string `json:"name"`
	tastemap.Quality
	// The finest regions: how many titles fit the name of theirs, and the share of titles that lie in one with a name.
	// The numbers themselves have no regions.
	Fit     float64 `json:"labelFit,omitempty"`
	Covered float64 `json:"labelled,omitempty"`
}

// comparison measures other maps of the model.
func (p *mapping) comparison(ctx context.Context, m *model.Model) ([]comparedMap, error) {
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
	p.Printf("%-24s %8s %16s %10s %9s %9s\n", "map", "overlap", "trustworthiness", "same genre", "label fit",
		"labelled")
	var out []comparedMap
	kinds := tastemap.Kinds(m.Catalogue)
	line := func(c comparedMap) {
		p.Printf("%-24s %8.3f %16.3f %10.3f %9.2f %9.2f\n", c.Name, c.Overlap, c.Trustworthiness, c.SameGenre, c.Fit,
			c.Covered)
		out = append(out, c)
	}
	itself, err := tastemap.Measure(ctx, w2, w2, kinds, tastemap.Neighbours, p.Workers)
	if err != nil {
		return nil, err
	}
	line(comparedMap{Name: "the numbers themselves", Quality: itself})
	for _, x := range ways {
		made, err := tastemap.Draw(ctx, x.rows, m.Catalogue, x.s, p.Workers)
		if err != nil {
			return nil, err
		}
		q, _, err := mapQuality(&p.Work, ctx, m, made)
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
