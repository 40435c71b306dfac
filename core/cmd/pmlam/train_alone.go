package main

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/pmlam/pmlam/core/coldstart"
	"github.com/pmlam/pmlam/core/internal/cli"
	"github.com/pmlam/pmlam/core/model"
	"github.com/pmlam/pmlam/core/train"
)

// runAlone makes a model of a catalogue without ratings: --cold-items and --items without --data. settings are the
// training settings given; any of them is an error.
func (t *trainRun) runAlone(ctx context.Context, s *cli.Source, settings []string) error {
	switch {
	case s.Items == "":
		return cli.Usagef("--data is missing: pass the file or folder with the interactions, or --items with a " +
			"catalogue that --cold-items makes a model of")
	case t.out == "":
		return cli.Usagef("--out is missing: pass the file to write the model to")
	case t.itemLinks != "":
		return cli.Usagef("--item-links needs --data, since nothing is trained without it")
	case len(settings) > 0:
		return cli.Usagef("--%s needs --data, since nothing is trained without it", cli.FlagOf(settings[0]))
	}
	precision, err := model.ParsePrecision(t.precision)
	if err != nil {
		return cli.Usagef("--precision: %w", err)
	}
	if err := writable(t.out); err != nil {
		return err
	}
	about, read, err := loadItems(s.Items, s.ReadingOptions(cli.NoSplit))
	if err != nil {
		return err
	}
	if err := s.JudgeCatalogue(t.App, about.Catalogue); err != nil {
		return err
	}
	noteSkipped(t.App, read)
	t.Printf("%s", cli.ColumnsText(read.TitleReport))
	m, r, err := coldstart.Alone(ctx, about, read.PublishedColumns())
	if err != nil {
		return err
	}
	base := filepath.Base(s.Items)
	m.Provenance.Dataset = strings.TrimSuffix(base, filepath.Ext(base))
	if s.Name != "" {
		m.Provenance.Dataset = s.Name
	}
	m.Provenance.Licence, m.Provenance.Attribution = s.Licence, s.Attribution
	m.Provenance.Program, m.Precision = train.Version, precision
	if err := layOut(ctx, &t.Work, m); err != nil {
		return err
	}
	if err := model.WriteFile(t.out, m); err != nil {
		return err
	}
	t.Printf("no ratings: a model of %d items by their features alone; left out: %d without features that others "+
		"share\n%d features; %d dimensions hold %.0f%% of their variance\nwrote %s\n", r.Added,
		r.Blank, r.Features, m.Items.Dim(), 100*r.Explained, t.out)
	if t.JSON {
		return t.PrintJSON(map[string]any{"items": r.Added, "cold": r, "out": t.out})
	}
	return nil
}
